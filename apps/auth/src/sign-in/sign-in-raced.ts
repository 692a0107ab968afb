/** Someone else changed what this sign-in was decided on: decide again. */
export class SignInRaced extends Error {
  override readonly name = 'SignInRaced';
}

/** The password that was right is the account's no more. */
export class PasswordOver extends SignInRaced {}

/** The exchange was completed meanwhile, by the same request or by another. */
export class ExchangeOver extends Error {
  override readonly name = 'ExchangeOver';
}
