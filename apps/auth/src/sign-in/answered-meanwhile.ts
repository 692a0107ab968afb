/** The exchange was completed, the code created a session, or the request was answered meanwhile: start again. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}
