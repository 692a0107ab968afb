import type { SearchSchemaInput } from '@tanstack/react-router';

/** The filters of the stream. */
export interface LiveSearch {
  /** Separated by commas. */
  readonly types?: string | undefined;
  readonly account?: string | undefined;
  readonly session?: string | undefined;
}

export function readLiveSearch({ types, account, session }: LiveSearch & SearchSchemaInput): LiveSearch {
  return { types: textOr(types, 2_000), account: textOr(account, 200), session: textOr(session, 200) };
}

function textOr(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}
