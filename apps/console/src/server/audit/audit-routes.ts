import {
  type AuditAct,
  auditActs,
  findAuditEntries,
  findPlayerNames,
  inRealm,
  type SignInEntry,
} from '@tickrate/accounts';
import { closedObject, isPermitted } from '@tickrate/contract';
import type { Act } from '@tickrate/registry';
import Type, { type Static } from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { requireScope } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedCall, type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { listActs } from './audit-operations.ts';

const place = closedObject({ atMs: Type.Integer(), id: recordId });
const scopeOfSignIns = 'players:read';

type Entry = ReturnType<typeof ofManagement> | ReturnType<typeof ofSignIn>;

/** Merges two trails by time: their newest entries contain the newest entries of both together. */
export function createAuditRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [
    managed(listActs, async (call) => {
      const kinds = kindsOf(call);
      const { results, next } = await readPage(call.query, {
        place,
        async read(after, limit) {
          const pages = await Promise.all(kinds.map((kind) => read(parts, call, { kind, after, limit })));
          return pages.flat().toSorted(newestFirst).slice(0, limit);
        },
        show: withTimes,
      });
      const names = await namesOf(parts, call, results.flatMap(accountsOf));
      return {
        results: results.map((entry) => ({ ...entry, names: pick(names, accountsOf(entry)) })),
        next,
      };
    }),
  ];
}

/** In one query for the whole page. Empty for a caller without permission to see players. */
async function namesOf({ accounts }: ConsoleParts, { caller }: Call, ids: readonly string[]) {
  if (!isPermitted(caller.scopes, scopeOfSignIns)) return new Map<string, string>();
  return findPlayerNames(inRealm(accounts, caller.projectId), [...new Set(ids)]);
}

function accountsOf({ actor, details }: Pick<Entry, 'actor' | 'details'>): string[] {
  const { accountId }: { readonly accountId?: unknown } = details;
  return [actor, accountId].filter((id) => typeof id === 'string').filter((id) => id.startsWith('u-'));
}

function pick(names: ReadonlyMap<string, string>, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );
}

type Kind = 'management' | 'signIn';
type Call = ManagedCall<typeof listActs>;

/** Throws 2006 if the caller requests sign-ins without permission to see players. */
function kindsOf({ caller, query }: Call): Kind[] {
  const named = query.act === undefined ? undefined : kindOf(query.act);
  const kinds = (['management', 'signIn'] as const).filter(
    (kind) => kind === (named ?? kind) && kind === (query.kind ?? kind),
  );
  if (query.kind === 'signIn' || named === 'signIn') requireScope(caller, scopeOfSignIns);
  return isPermitted(caller.scopes, scopeOfSignIns) ? kinds : kinds.filter((kind) => kind === 'management');
}

function kindOf(act: string): Kind {
  return isSignInAct(act) ? 'signIn' : 'management';
}

function isSignInAct(act: string): act is AuditAct {
  return auditActs.some((each) => each === act);
}

interface PageOfKind {
  readonly kind: Kind;
  readonly after: Static<typeof place> | null;
  readonly limit: number;
}

async function read(
  { registry, accounts }: ConsoleParts,
  { caller: { projectId }, query: { act, accountId } }: Call,
  { kind, after, limit }: PageOfKind,
): Promise<Entry[]> {
  if (kind === 'management') {
    return (await registry.actPage({ projectId, act, accountId, after, limit })).map(ofManagement);
  }
  const signInAct = act !== undefined && isSignInAct(act) ? act : null;
  const page = { act: signInAct, accountId: accountId ?? null, after, limit };
  return (await findAuditEntries(inRealm(accounts, projectId), page)).map(ofSignIn);
}

function newestFirst(a: Entry, b: Entry): number {
  return b.atMs - a.atMs || (a.id < b.id ? 1 : -1);
}

function ofManagement({ projectId: _, details, ...act }: Act) {
  return { ...act, kind: 'management' as const, sessionId: null, details: { ...details } };
}

function ofSignIn({ accountId, details, ...entry }: SignInEntry) {
  const { reason } = details;
  return {
    ...entry,
    kind: 'signIn' as const,
    actor: accountId,
    details: { ...details },
    outcome: entry.act === 'signInRefused' && typeof reason === 'string' ? reason : 'done',
  };
}
