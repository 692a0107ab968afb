/** The policy `retention` of a project. Null keeps for ever. */
export interface RetentionPolicy {
  readonly days: number | null;
  /** By the name of an event type, where it differs. */
  readonly types: Readonly<Record<string, number | null>>;
}

export type RetentionResult =
  | { readonly ok: true; readonly policy: RetentionPolicy }
  | { readonly ok: false; readonly pointer: string; readonly fault: string };

const mostDays = 36_500;
const mostTypes = 10_000;
const expected = `a whole number of days from 1 to ${mostDays}, or null for ever`;

/** `{ days?, types? }`; a project whose policy says no `days` follows the installation's. */
export function readRetentionPolicy(value: unknown, defaultDays: number | null): RetentionResult {
  if (!isObject(value)) return refused('', 'an object');
  const unknown = Object.keys(value).find((name) => name !== 'days' && name !== 'types');
  if (unknown !== undefined) return refused(`/${unknown}`, 'days and types, and nothing else');
  const { days = defaultDays, types = {} } = value;
  if (!isDays(days)) return refused('/days', expected);
  if (!isObject(types) || Object.keys(types).length > mostTypes)
    return refused('/types', 'an object of types');
  const policy: Record<string, number | null> = Object.create(null);
  for (const [name, ofType] of Object.entries(types)) {
    if (!isDays(ofType)) return refused(`/types/${name}`, expected);
    policy[name] = ofType;
  }
  return { ok: true, policy: { days, types: policy } };
}

function refused(pointer: string, fault: string): RetentionResult {
  return { ok: false, pointer, fault: `must be ${fault}` };
}

function isDays(value: unknown): value is number | null {
  return value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostDays);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
