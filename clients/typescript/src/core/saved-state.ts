import { objectOf, textOf } from './json.ts';

export type Consent = 'unknown' | 'granted' | 'denied';

export interface DeviceToken {
  readonly deviceId: string;
  readonly deviceSecret: string;
}

/** What is remembered between runs besides segments. */
export interface SavedState {
  readonly consent: Consent;
  /** 8 hex digits, which name the principal of this installation's own account. */
  readonly installation: string;
  readonly device: DeviceToken | null;
  readonly deviceAccount: string | null;
  /** The Idempotency-Key of a request for a device whose answer has not been stored yet. */
  readonly deviceRequest: string | null;
  readonly losses: Readonly<Record<string, number>>;
}

/**
 * What to remember, if `known` was written meanwhile: tabs and processes share one state, and none may forget what another
 * one learned. `lost` was not counted in `known` yet. A refusal of another tab holds until the player chooses here.
 */
export function mergeState(
  mine: SavedState,
  known: SavedState | null,
  { lost, isChosen }: { lost: Readonly<Record<string, number>>; isChosen: boolean },
): SavedState {
  const losses = addLosses(known?.losses ?? {}, lost);
  if (!known || (isChosen && mine.consent === 'denied')) return { ...mine, losses };
  if (!isChosen && known.consent === 'denied') return { ...known, losses };
  // The installation of a folder or database that was deleted and made again: its events are not this one's.
  const own = mine.installation === known.installation ? mine : known;
  const device = own.device ?? known.device;
  return {
    consent: mine.consent,
    installation: known.installation,
    device,
    deviceAccount: own.deviceAccount ?? known.deviceAccount,
    deviceRequest: device ? null : (known.deviceRequest ?? mine.deviceRequest),
    losses,
  };
}

type Losses = Readonly<Record<string, number>>;

export function addLosses(known: Losses, more: Losses): Losses {
  const losses = { ...known };
  for (const [reason, count] of Object.entries(more)) losses[reason] = (losses[reason] ?? 0) + count;
  return losses;
}

/** Null if it is not a state, or was edited by hand into something else. */
export function readState(value: unknown): SavedState | null {
  const { consent, installation, device, deviceAccount, deviceRequest, losses } = objectOf(value) ?? {};
  const isConsent = consent === 'unknown' || consent === 'granted' || consent === 'denied';
  if (!isConsent || typeof installation !== 'string' || !/^[0-9a-f]{8}$/.test(installation)) return null;
  return {
    consent,
    installation,
    device: readDevice(device),
    deviceAccount: textOf(deviceAccount) ?? null,
    deviceRequest: textOf(deviceRequest) ?? null,
    losses: Object.fromEntries(
      Object.entries(objectOf(losses) ?? {}).filter((entry): entry is [string, number] =>
        Number.isSafeInteger(entry[1]),
      ),
    ),
  };
}

export function readDevice(value: unknown): DeviceToken | null {
  const read = objectOf(value);
  const deviceId = textOf(read?.['deviceId']);
  const deviceSecret = textOf(read?.['deviceSecret']);
  return deviceId && deviceSecret ? { deviceId, deviceSecret } : null;
}
