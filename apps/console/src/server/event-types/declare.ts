import { parameterInvalid, parseExactDocument, systemError } from '@tickrate/contract';
import { roundedIntegers } from '@tickrate/events';
import type { DeclareRequest, DeclareResult, Registry } from '@tickrate/registry';

const nameRule = '1 to 128 letters, digits and _ . - that begin with a letter, and not "events"';

export interface Fault {
  readonly domain: string;
  readonly location: string;
  readonly locationType: string;
  readonly message: string;
  readonly reason: string;
}

type Refused = Extract<DeclareResult, { ok: false }>;

export interface Declared {
  readonly name: string;
  readonly version: number;
  readonly unchanged: boolean;
  readonly dryRun: boolean;
  readonly changes: Extract<DeclareResult, { ok: true }>['changes'];
}

export async function declare(
  registry: Registry,
  request: DeclareRequest,
): Promise<{ readonly declared: Declared } | { readonly refused: Refused }> {
  const result = await registry.declareEventType(request);
  if (!result.ok) return { refused: result };
  const { version, unchanged, changes } = result;
  const dryRun = request.dryRun ?? false;
  return { declared: { name: request.name, version, unchanged, dryRun, changes } };
}

/** Throws 1003 if the declaration contains integers that would be stored as different values. */
export function requireExactIntegers(body: Buffer): void {
  const document = parseExactDocument(body);
  const declaration = document instanceof Map ? document.get('declaration') : undefined;
  const faults = declaration === undefined ? [] : roundedIntegers(declaration);
  if (faults.length > 0) throw refusalError({ ok: false, reason: 'declarationFaults', faults });
}

/** The fault of one declaration among many. */
export function refusalOf(name: string, refused: Refused) {
  const changes = refused.reason === 'breaking' ? refused.changes : [];
  return { name, changes, errors: faultsOf(refused) };
}

/** The same as the error of a call with one declaration. */
export function refusalError(refused: Refused): Error {
  if (refused.reason === 'invalidName') {
    return parameterInvalid('name', nameRule);
  }
  const queryFailureErrors = faultsOf(refused);
  if (refused.reason === 'breaking') {
    return systemError('objectNotEditable', {
      objectNotEditableReason: 'not compatible with the version before',
      queryFailureErrors,
    });
  }
  const [first] = queryFailureErrors;
  const refusal = parameterInvalid(
    'declaration',
    [first?.location, first?.message].filter(Boolean).join(': '),
  );
  return systemError(
    'parameterInvalid',
    { ...refusal.data, queryFailureErrors },
    { message: refusal.message, fields: refusal.fields ?? '' },
  );
}

function faultsOf(refused: Refused): Fault[] {
  const fault = (location: string, reason: string, message: string): Fault => ({
    domain: 'declaration',
    locationType: 'body',
    location,
    message,
    reason,
  });
  switch (refused.reason) {
    case 'invalidName':
      return [fault('/name', 'invalidName', nameRule)];
    case 'breaking':
      return refused.changes
        .filter(({ kind }) => kind === 'breaking')
        .map(({ pointer, change, message }) => fault(pointer, change, message));
    case 'declarationFaults':
      return refused.faults.map(({ pointer, keyword, message }) => fault(pointer, keyword, message));
  }
}
