import { memberText } from './analysis-sql.ts';

/** Divides figures by the values of a member: one row for each of the most frequent values, and one for all others. */
export interface Split {
  readonly member: string;
  readonly mostValues: number;
}

/** The columns that a divided analysis adds to its rows. */
export interface SplitColumns {
  /** Null for events without the member, and for the rest. */
  readonly split?: string | null;
  /** Whether the row is for all values that are not among the most frequent. */
  readonly isRest?: boolean;
}

/** The keys: '' for an absent member, '=' and the value for a value, and another text for the rest. */
function keyOf(member: string): string {
  return `ifNull(concat('=', ${memberText(member)}), '')`;
}

/** `where` selects the events that decide which values are the most frequent. */
export function splitParts({ member, mostValues }: Split, where: string) {
  const top = `SELECT ${keyOf(member)} AS key FROM events WHERE ${where} GROUP BY key ORDER BY count() DESC, key LIMIT ${mostValues}`;
  return {
    /** The key of an event, for GROUP BY or an aggregate. */
    key: `if(${keyOf(member)} IN (${top}), ${keyOf(member)}, 'rest')`,
    /** The columns of a row whose key is `split_key`. */
    columns:
      "if(startsWith(split_key, '='), substring(split_key, 2), NULL) AS split, CAST(split_key = 'rest', 'Bool') AS isRest",
  };
}
