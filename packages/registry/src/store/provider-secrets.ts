import {
  openProviderSecrets,
  parameterInvalid,
  readProviderSettings,
  sealedProviderSecrets,
  sealProviderSecrets,
} from '@tickrate/contract';

/** What seals: a place is needed again to open. */
export interface Sealer {
  seal(text: string, place: string): Uint8Array;
  open(bytes: Uint8Array, place: string): string;
  isCurrent(bytes: Uint8Array): boolean;
}

/** A process that writes the policy was not told of the key. */
export class NoSealer extends Error {
  override readonly name = 'NoSealer';
  override readonly message = 'There is no key to seal the secrets of providers with';
}

type Value = Readonly<Record<string, unknown>>;

/** The policy `providers` with its secrets as they were set. What no key of ours has sealed stays as it is stored. */
export function openProviders(sealer: Sealer, projectId: string, value: Value): Value {
  return openProviderSecrets(value, (sealed, place) => {
    try {
      return sealer.open(Buffer.from(sealed, 'base64'), `${projectId} ${place}`);
    } catch {
      return null;
    }
  });
}

/** As it is stored. Nothing is stored plain: without a key this throws. */
export function sealProviders(sealer: Sealer | null, projectId: string, value: Value): Value {
  return sealProviderSecrets(value, (secret, place) => {
    if (sealer === null) throw new NoSealer();
    return Buffer.from(sealer.seal(secret, `${projectId} ${place}`)).toString('base64');
  });
}

export interface Resealed {
  /** Null when the present key has sealed all of it already. */
  readonly anew: Value | null;
  /** Some of it was sealed with a key that is not known here. */
  readonly lost: boolean;
}

/** The stored policy under the present key. */
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

/** Throws 1003, and names the place, for what sign-in would not understand. Sealed secrets were understood before. */
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
