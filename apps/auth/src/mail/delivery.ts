export interface DeliveryParts<Due> {
  /** Claims a mail that is due; null if none is. */
  readonly claim: () => Promise<Due | null>;
  /** False when it may not be sent yet. */
  readonly sendOne: (mail: Due) => Promise<boolean>;
  readonly settle: (mail: Due) => Promise<void>;
  readonly putOff: (mail: Due) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends the mails that are due, one after the other. It claims each mail only when the one before it is sent, so that
 * no claimed mail waits for a slow mail server. A mail is sent once, unless this process ends between the answer of the
 * mail server and the answer of the store.
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
