/** Why the start cannot go on, for the person at the terminal: what is wrong, in one line, and what to do. */
export class StartFault extends Error {
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFault';
    this.advice = advice;
  }
}
