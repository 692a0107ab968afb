import {
  openProviderSecrets,
  parameterInvalid,
  readProviderSettings,
  sealedProviderSecrets,
  sealProviderSecrets,
} from '@tickrate/contract';

/** Seals secrets. Opening one requires its place again. */
export interface Sealer {
  seal(text: string, place: string): Uint8Array;
  open(bytes: Uint8Array, place: string): string;
  isCurrent(bytes: Uint8Array): boolean;
}

/** A process that writes the policy has no key. */
export class NoSealer extends Error {
  override readonly name = 'NoSealer';
  override readonly message = 'No key is configured to seal the secrets of providers';
}

type Value = Readonly<Record<string, unknown>>;

/** The policy `providers` with opened secrets. A secret that no known key sealed stays in its stored form. */
export function openProviders(sealer: Sealer, projectId: string, value: Value): Value {
  return openProviderSecrets(value, (sealed, place) => {
    try {
      return sealer.open(Buffer.from(sealed, 'base64'), `${projectId} ${place}`);
    } catch {
      return null;
    }
  });
}

/** The policy in its stored form. Never stores a plain secret: throws without a key. */
export function sealProviders(sealer: Sealer | null, projectId: string, value: Value): Value {
  return sealProviderSecrets(value, (secret, place) => {
    if (sealer === null) throw new NoSealer();
    return Buffer.from(sealer.seal(secret, `${projectId} ${place}`)).toString('base64');
  });
}

export interface Resealed {
  /** Null if the current key already sealed all of it. */
  readonly anew: Value | null;
  /** Some of it was sealed with an unknown key. */
  readonly lost: boolean;
}

/** The stored policy, sealed with the current key. */
export function resealed(sealer: Sealer, projectId: string, value: Value): Resealed {
  const opened = openProviders(sealer, projectId, value);
  const stillSealed = sealedProviderSecrets(opened);
  const isOld = sealedProviderSecrets(value).some((sealed, at) => {
    const isOpen = stillSealed[at] === null;
    return isOpen && (sealed === null || !sealer.isCurrent(Buffer.from(sealed, 'base64')));
  });
  return {
    anew: isOld ? sealProviders(sealer, projectId, opened) : null,
    lost: stillSealed.some((sealed) => sealed !== null),
  };
}

/** Throws 1003 with the place if sign-in cannot use the settings. Sealed secrets were checked before. */
export function checkProviders(value: Value, settings: { readonly testMode: boolean }): void {
  const { faults } = readProviderSettings(
    openProviderSecrets(value, () => 'sealed'),
    settings,
  );
  const [fault] = faults;
  if (fault === undefined) return;
  const [path = '', ...message] = fault.split(': ');
  throw parameterInvalid(`value${path.replaceAll('/', '.')}`, message.join(': '));
}
