import type { ExchangeRow } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import type { AuthContext } from './sign-in.ts';

/** The exchange that the caller names, open or not; null without one. Throws 4012 for one of another key or project. */
export async function findNamedExchange(
  { accounts }: AuthContext,
  exchangeId: string | null,
  principal: Principal,
): Promise<ExchangeRow | null> {
  const found = exchangeId === null ? null : await accounts.exchanges.find(exchangeId, principal);
  if (found === 'foreign') throw systemError('exchangeConflict');
  return found;
}
