import type { Problem } from '../api/problem.ts';
import { defineTexts, germanFor, type Language, textsIn } from './define-texts.ts';

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
