/** Someone else changed what this sign-in was decided on: decide again. */
export class SignInRaced extends Error {
  override readonly name = 'SignInRaced';
}

/** The password that was right is the account's no more. */
export class PasswordOver extends SignInRaced {}

/** The exchange was completed, the code made a session, or the request was answered meanwhile: begin anew. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}
