import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';

/** How long the same request with the same secret gets the same answer. */
const repeatableMs = 60_000;

/**
 * The text of the answer to the identical request, while its session is alive and its account is unchanged; null without
 * one that may be repeated.
 */
export async function findAnswer({ db, box, now }: Accounts, fingerprint: Buffer): Promise<string | null> {
  const [row] = await db.query<{ answer: Buffer }>(
    `SELECT a.answer FROM auth.answers a JOIN auth.sessions s ON s.id = a.session_id
     WHERE a.fingerprint = $1 AND a.completed > $2 AND s.ended IS NULL AND a.basis = auth.sign_in_basis(s.account_id)`,
    [fingerprint, new Date(now() - repeatableMs)],
  );
  return row ? box.open(row.answer) : null;
}

interface KeptAnswer {
  readonly fingerprint: Buffer;
  readonly text: string;
  readonly session: { readonly id: string; readonly accountId: string };
}

/**
 * Stores an answer, so that a lost reply can be requested again. Of identical concurrent requests, one stores its answer:
 * false for the others, after that one has committed. It checks whether a session has ended, so that a session that is
 * not visible yet counts as alive. It compares the basis with the rows that are committed by then.
 */
export async function keepAnswer(
  { box, now }: Accounts,
  tx: Queryable,
  { fingerprint, text, session }: KeptAnswer,
): Promise<boolean> {
  const nowMs = now();
  const rows = await tx.query(
    `INSERT INTO auth.answers AS a (fingerprint, answer, session_id, account_id, basis, completed)
     VALUES ($1, $2, $3, $4, auth.sign_in_basis($4), $5)
     ON CONFLICT (fingerprint) DO UPDATE
       SET answer = excluded.answer, session_id = excluded.session_id, account_id = excluded.account_id,
         basis = excluded.basis, completed = excluded.completed
     WHERE a.completed <= $6 OR a.basis <> auth.sign_in_basis(a.account_id) OR EXISTS (
       SELECT FROM auth.sessions s WHERE s.id = a.session_id AND s.ended IS NOT NULL)
     RETURNING fingerprint`,
    [
      fingerprint,
      box.seal(text),
      session.id,
      session.accountId,
      new Date(nowMs),
      new Date(nowMs - repeatableMs),
    ],
  );
  return rows.length > 0;
}
