/** Ends the start. The message says what is wrong, in one line; `advice` says what to do. */
export class StartFault extends Error {
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFault';
    this.advice = advice;
  }
}
