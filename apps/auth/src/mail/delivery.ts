export interface DeliveryParts<Due> {
  /** Takes one that is due; null when none is. */
  readonly claim: () => Promise<Due | null>;
  /** False when it may not be sent yet. */
  readonly sendOne: (mail: Due) => Promise<boolean>;
  readonly settle: (mail: Due) => Promise<void>;
  readonly putOff: (mail: Due) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends what is due, one after the other, each taken only when it is its turn: nothing is claimed that waits behind a slow
 * mail server. A mail goes out once, unless this process ends between the mail server's answer and the store's.
 */
export function createDelivery<Due>({ claim, sendOne, settle, putOff, onFault }: DeliveryParts<Due>) {
  async function deliverOne(mail: Due): Promise<void> {
    const isSent = await sendOne(mail).catch((error: unknown) => {
      onFault(error);
      return false;
    });
    await (isSent ? settle(mail) : putOff(mail));
  }

  return async (): Promise<void> => {
    for (let mail = await claim(); mail !== null; mail = await claim()) await deliverOne(mail);
  };
}
