import type { SearchSchemaInput } from '@tanstack/react-router';

export interface LiveSearch {
  /** Separated by commas. */
  readonly types?: string | undefined;
  readonly account?: string | undefined;
  readonly session?: string | undefined;
  /** Conditions on members, as they were typed. */
  readonly where?: string | undefined;
}

export function readLiveSearch(given: LiveSearch & SearchSchemaInput): LiveSearch {
  return {
    types: textOr(given.types, 2_000),
    account: textOr(given.account, 200),
    session: textOr(given.session, 200),
    where: textOr(given.where, 1_000),
  };
}

function textOr(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}
