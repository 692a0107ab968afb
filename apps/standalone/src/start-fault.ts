/** Ends the start. The message is one line with the fault; `advice` is what to do. */
export class StartFault extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = 'StartFault';
    this.advice = advice;
  }
}
