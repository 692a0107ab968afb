import { setImmediate } from 'node:timers/promises';
import { limits, systemError } from '@tickrate/contract';
import { type CompiledDeclaration, skipSpace } from '@tickrate/events';
import type { Fault } from './declare.ts';

export interface Validated {
  readonly valid: boolean;
  readonly errors: Fault[];
}

/** The faults of one event as a gateway reports them. Throws if the text is no JSON, or too large. */
export async function validateEventText(declaration: CompiledDeclaration, bytes: Buffer): Promise<Validated> {
  for (const _ of declaration.prepare()) await setImmediate();
  const codec = declaration.codec();
  const explanation = codec.explain(bytes, skipSpace(bytes, 0), limits.reportedFaults);
  if (explanation.kind === 'tooLarge') {
    throw systemError('eventTooLarge', { amount: limits.eventBytes, parameterName: '' });
  }
  const end = skipSpace(bytes, explanation.end);
  if (end !== bytes.length) throw systemError('malformedJson', { offset: end });
  const faults = explanation.kind === 'faults' ? explanation.faults : [];
  const errors = faults.map(({ pointer, message, reason }) => ({
    domain: 'event',
    locationType: 'body',
    location: pointer,
    message,
    reason,
  }));
  return { valid: errors.length === 0, errors };
}
