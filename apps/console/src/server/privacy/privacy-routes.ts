import { findPlayer, inRealm, readAccountData } from '@tickrate/accounts';
import { closedObject, type ErasureCertificate, objectNotFound, personalScope } from '@tickrate/contract';
import type { Erasure } from '@tickrate/pipeline';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { nameOf, requireScope } from '../calls/caller.ts';
import { recordId, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { streamLines } from '../calls/stream-lines.ts';
import { privacyOperations as operations } from './privacy-operations.ts';

export const erasurePlace = closedObject({ requestedMs: Type.Integer(), id: recordId });

export function createPrivacyRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [exporting(parts), ...erasing(parts)];
}

function exporting(parts: ConsoleParts): ManagedRoute {
  return managed(operations.exportPlayer, async ({ caller, params, context }) => {
    requireScope(caller, personalScope);
    const account = { projectId: caller.projectId, accountId: params.accountId };
    await requireKnown(parts, account);
    return streamLines(context, (signal) => linesOf(parts, { ...account, signal }));
  });
}

interface Exported {
  readonly projectId: string;
  readonly accountId: string;
  readonly signal: AbortSignal;
}

/** How far the clock of a gateway can be ahead. */
const clockMarginMs = 60_000;

async function* linesOf(
  { accounts, warehouse, quarantine, now }: ConsoleParts,
  { signal, ...account }: Exported,
): AsyncGenerator<string> {
  const { projectId: realm, accountId } = account;
  const known = await accounts.transaction((tx) => readAccountData(tx, { realm, accountId }));
  if (known !== null) {
    yield JSON.stringify({ account: known.account });
    for (const [name, list] of Object.entries(known.lists)) yield JSON.stringify({ [name]: list });
  }
  const receivedUntilMs = now() + clockMarginMs;
  for await (const page of warehouse.exportAccount({ ...account, receivedUntilMs }, signal)) {
    for (const line of page.toString().split('\n')) if (line !== '') yield `{"event":${line}}`;
  }
  for await (const entry of quarantine.exportAccount(account.projectId, account.accountId)) {
    signal.throwIfAborted();
    yield JSON.stringify({ quarantined: entry });
  }
}

/**
 * Throws 3001 for an account that the project never had. A deleted account is known by its erasure, because events that
 * it sent earlier can still arrive; and an account that is in an older backup than its events, by those.
 */
async function requireKnown(
  { accounts, erasures, warehouse, now }: ConsoleParts,
  { projectId, accountId }: Omit<Exported, 'signal'>,
): Promise<void> {
  if ((await findPlayer(inRealm(accounts, projectId), accountId)) !== null) return;
  const [erasure] = await erasures.list(projectId, { accountId, limit: 1 });
  if (erasure !== undefined) return;
  const receivedUntilMs = now() + clockMarginMs;
  const events = await warehouse.countAccount({ projectId, accountId, receivedUntilMs });
  if (events.size === 0) throw objectNotFound('player', accountId);
}

function erasing(parts: ConsoleParts): ManagedRoute[] {
  const { erasures } = parts;
  const findOwn = async (projectId: string, id: string): Promise<Erasure> => {
    const erasure = await erasures.find(id);
    if (erasure?.projectId === projectId) return erasure;
    throw objectNotFound('erasure', id);
  };
  return [
    managed(operations.erasePlayer, async ({ caller, params, body: { mode } }) => {
      const { projectId } = caller;
      await requireKnown(parts, { projectId, accountId: params.accountId });
      const id = await erasures.request({ projectId, ...params, mode, requestedBy: nameOf(caller) });
      return show(await findOwn(projectId, id));
    }),
    managed(operations.listErasures, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place: erasurePlace,
        read: (after, limit) => erasures.list(projectId, { accountId: query.accountId, after, limit }),
        show,
      }),
    ),
    managed(operations.getErasure, async ({ caller, params }) =>
      show(await findOwn(caller.projectId, params.id)),
    ),
    managed(operations.verifyCertificate, async ({ caller, body }) => {
      const certificate = body.certificate as unknown as ErasureCertificate;
      const known = await erasures.find(String(certificate.id));
      const isOfDeletedProject = known?.accountHash === null;
      if (known?.projectId !== caller.projectId && !isOfDeletedProject) return { result: 'unknown' as const };
      return { result: await erasures.verify(certificate) };
    }),
  ];
}

function show(erasure: Erasure) {
  const { accountHash, mode } = erasure;
  return { ...showErasure(erasure), accountHash: accountHash ?? '', mode };
}

/** What erasures of accounts and deletions of projects have in common. */
export function showErasure({ id, requestedBy, requestedMs, state, fault, certificate }: Erasure) {
  const requested = timeOf(requestedMs);
  return { id, requestedBy, requested, state, fault, certificate: certificate && { ...certificate } };
}
