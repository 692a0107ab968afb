import type { Problem } from '../api/problem.ts';
import { defineTexts, germanFor, type Language, textsIn } from './define-texts.ts';

interface Fault {
  readonly message: string;
  /** Of the error catalogue, or of the quarantine. */
  readonly reason?: string;
}

/** What is wrong with an event or with a typed value. In English, and for an unknown sentence, as the server says it. */
export function faultText({ reason = '', message }: Fault, language: Language): string {
  const german = germanFor(language);
  return german?.faultGerman(message) ?? german?.problemGerman(reason) ?? message;
}

/** The reasons in a few words. */
export const reasonTexts = defineTexts('reason', {
  missing: 'missing member',
  unknown: 'not declared',
  typeMismatch: 'wrong type',
  range: 'out of range',
  tooLong: 'too long',
  pattern: 'pattern not matched',
  enum: 'not an allowed value',
  format: 'wrong format',
  malformedJson: 'malformed JSON',
  bodyTypeInvalid: 'wrong JSON type',
  parameterInvalid: 'invalid parameter',
  eventTypeNotFound: 'type not declared',
  eventTypeVersionNotFound: 'version not declared',
  eventTypeVersionRetired: 'version retired',
  notReplayable: 'cannot be replayed',
  refusedRow: 'row refused',
  refusedRows: 'rows refused',
  unreadableChunk: 'unreadable chunk',
});

/** A reason in a table or a chart. An unknown one is its code. */
export function reasonName(reason: string, language: Language): string {
  const names: Readonly<Record<string, string>> = textsIn(reasonTexts, language);
  return Object.hasOwn(names, reason) ? (names[reason] ?? reason) : reason;
}

/** What goes wrong in the console itself: the catalogue does not have it. */
export const ownProblemTexts = defineTexts('ownProblem', {
  unreachable: 'The console does not answer. It tries again by itself',
  unexpected: 'Something in the console failed',
});

/** What a problem says to the user. In English the words of the server, which name the parameter. */
export function problemText(problem: Problem, language: Language): string {
  const { reason, message } = problem;
  if (reason === 'unreachable' || reason === 'unexpected') return textsIn(ownProblemTexts, language)[reason];
  return germanFor(language)?.problemGerman(reason) ?? message;
}
