import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';

/** How long the same request with the same secret gets the same answer. */
export const repeatableMs = 60_000;

/** The sealed answer to the identical request, while its session is alive and its account is unchanged. */
export async function findAnswer(
  db: Queryable,
  fingerprint: Buffer,
  sinceMs: number,
): Promise<Buffer | null> {
  const [row] = await db.query<{ answer: Buffer }>(
    `SELECT a.answer FROM auth.answers a JOIN auth.sessions s ON s.id = a.session_id
     WHERE a.fingerprint = $1 AND a.completed > $2 AND s.ended IS NULL AND a.basis = auth.sign_in_basis(s.account_id)`,
    [fingerprint, new Date(sinceMs)],
  );
  return row?.answer ?? null;
}

interface KeptAnswer {
  readonly fingerprint: Buffer;
  /** Sealed. */
  readonly answer: Buffer;
  readonly sessionId: string;
  readonly accountId: string;
  readonly nowMs: number;
  /** An older answer is not repeated any more, and is replaced. */
  readonly sinceMs: number;
}

/**
 * Of identical concurrent requests, one stores its answer: false for the others, after that one has committed. It
 * checks whether a session has ended, so that a session that is not visible yet counts as alive. It compares the basis
 * with the rows that are committed by then.
 */
async function keepAnswer(tx: Queryable, kept: KeptAnswer): Promise<boolean> {
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
      kept.fingerprint,
      kept.answer,
      kept.sessionId,
      kept.accountId,
      new Date(kept.nowMs),
      new Date(kept.sinceMs),
    ],
  );
  return rows.length > 0;
}

interface RepeatableAnswer {
  readonly fingerprint: Buffer;
  readonly text: string;
  readonly sessionId: string;
  readonly accountId: string;
}

/** A lost reply can be requested again. False if an identical request stored its answer before. */
export function keepRepeatableAnswer(
  { box, now }: AccountsDeps,
  tx: Queryable,
  { text, ...kept }: RepeatableAnswer,
): Promise<boolean> {
  const nowMs = now();
  return keepAnswer(tx, { ...kept, answer: box.seal(text), nowMs, sinceMs: nowMs - repeatableMs });
}
