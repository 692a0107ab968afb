/** A claimed mail. It belongs to the claimer until it is due again: `due` identifies the claim. */
export interface ClaimedMail {
  readonly id: string;
  readonly due: Date;
}

/** The `due` of a claim: longer than any timeout of a mail server, so that no mail is sent twice meanwhile. */
export const claimSql = "$1::timestamptz + interval '5 minutes'";

/** For a mail that was not accepted: after one minute, then two, four and so on, ten times in all. */
export const nextDueSql = (tries: string) =>
  `CASE WHEN ${tries} < 10 THEN $3::timestamptz + interval '1 minute' * 2 ^ (${tries} - 1) END`;
