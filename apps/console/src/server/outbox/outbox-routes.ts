import { type Database, findMails, inRealm, ownsInstallation, type StoredMail } from '@tickrate/accounts';
import { closedObject, objectNotFound } from '@tickrate/contract';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { listOutbox } from './outbox-operations.ts';

const place = closedObject({ sentMs: Type.Integer(), id: recordId });

export function createOutboxRoutes({ accounts, openMail }: ConsoleParts): ManagedRoute[] {
  return [
    managed(listOutbox, async ({ caller, query }) => {
      if (openMail === null) {
        throw objectNotFound('outbox', 'outbox');
      }
      const realms = await realmsOf(accounts, caller);
      return readPage(query, {
        place,
        async read(after, limit) {
          const pages = realms.map((realm) => findMails(inRealm(accounts, realm), { after, limit }));
          return (await Promise.all(pages)).flat().toSorted(newestFirst).slice(0, limit);
        },
        show: ({ body, ...mail }) => ({ ...withTimes(mail), text: openMail(body) }),
      });
    }),
  ];
}

/** A mail to an administrator gives access to every project of theirs. */
async function realmsOf(accounts: Database, { projectId, accountId }: Caller): Promise<string[]> {
  const isOwner = accountId !== null && (await ownsInstallation(accounts, accountId));
  return isOwner ? [projectId, 'installation'] : [projectId];
}

function newestFirst(a: StoredMail, b: StoredMail): number {
  return b.sentMs - a.sentMs || (a.id < b.id ? 1 : -1);
}
