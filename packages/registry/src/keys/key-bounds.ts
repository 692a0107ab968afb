import { commonScopes, isPermitted, parameterInvalid, systemError } from '@tickrate/contract';

/** The scopes, origins and expiry of a key. */
export interface KeyBounds {
  readonly scopes: readonly string[];
  /** Null means any origin. */
  readonly origins: readonly string[] | null;
  /** Null means no expiry. */
  readonly expiresMs: number | null;
}

/** Throws 2006 or 1003, and names the bound of the calling key that is exceeded. */
export function requireWithin(asked: KeyBounds, maker: KeyBounds): void {
  const beyond = asked.scopes.find((scope) => !isPermitted(maker.scopes, scope));
  if (beyond !== undefined) throw systemError('apiKeyScopeMissing', { parameterName: beyond });
  if (!areOriginsWithin(asked, maker))
    throw parameterInvalid('origins', 'not all are origins of the key of this call');
  if (endOf(asked) > endOf(maker)) throw parameterInvalid('expires', 'later than the key of this call');
}

/** For an existing key: throws 2006 or 3003. */
export function requireReach(target: KeyBounds, maker: KeyBounds): void {
  requireWithin({ ...target, origins: maker.origins, expiresMs: maker.expiresMs }, maker);
  if (areOriginsWithin(target, maker) && endOf(target) <= endOf(maker)) return;
  throw systemError('objectNotEditable', {
    objectNotEditableReason: 'it is good for longer, or from more origins, than the key of this call',
  });
}

/** The reduced bounds of a key after the key that created it was reduced. */
export function narrowed(
  child: Pick<KeyBounds, 'scopes' | 'origins'>,
  maker: Pick<KeyBounds, 'scopes' | 'origins'>,
): Pick<KeyBounds, 'scopes' | 'origins'> {
  const { origins } = child;
  const allowed = maker.origins;
  return {
    scopes: commonScopes(child.scopes, maker.scopes),
    origins: allowed === null ? origins : (origins?.filter((each) => allowed.includes(each)) ?? allowed),
  };
}

function areOriginsWithin({ origins }: KeyBounds, { origins: allowed }: KeyBounds): boolean {
  return allowed === null || (origins?.every((origin) => allowed.includes(origin)) ?? false);
}

function endOf({ expiresMs }: KeyBounds): number {
  return expiresMs ?? Number.POSITIVE_INFINITY;
}
