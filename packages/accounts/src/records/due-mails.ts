/** A mail that somebody has taken to send. It is the taker's until it is due again: `due` says whose claim it is. */
export interface ClaimedMail {
  readonly id: string;
  readonly due: Date;
}

/** The `due` that a claim writes: longer than any mail server is waited for, so that nobody sends it a second time meanwhile. */
export const claimSql = "$1::timestamptz + interval '5 minutes'";

/** For a mail that was not taken: after a minute, then two, four and so on, ten times in all. */
export const nextDueSql = (tries: string) =>
  `CASE WHEN ${tries} < 10 THEN $3::timestamptz + interval '1 minute' * 2 ^ (${tries} - 1) END`;
