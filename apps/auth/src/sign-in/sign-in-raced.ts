/** Another request changed the basis of this decision: decide again. */
export class SignInRaced extends Error {
  override readonly name = 'SignInRaced';
}

/** The accepted password is no longer the password of the account. */
export class PasswordOver extends SignInRaced {}

/** The exchange was completed, the code created a session, or the request was answered meanwhile: start again. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}
