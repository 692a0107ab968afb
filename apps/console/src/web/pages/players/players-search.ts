import type { SearchSchemaInput } from '@tanstack/react-router';

export interface PlayersSearch {
  /** An e-mail address. */
  readonly email?: string | undefined;
  readonly banned?: boolean | undefined;
}

export function readPlayersSearch({ email, banned }: PlayersSearch & SearchSchemaInput): PlayersSearch {
  return {
    email: typeof email === 'string' && email.length >= 3 && email.length <= 254 ? email : undefined,
    banned: banned === true ? true : undefined,
  };
}
