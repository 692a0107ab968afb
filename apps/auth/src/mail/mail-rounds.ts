import type { Component } from '@tickrate/platform';

export type MailRounds = Required<Pick<Component, 'start' | 'stop'>>;

const everyMs = 1_000;

/** Repeatedly sends the mails that other processes stored in the database. One round at a time; a stop waits for it. */
export function createMailRounds(
  deliver: () => Promise<void>,
  onFault: (error: unknown) => void,
): MailRounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  return {
    async start() {
      timer = setInterval(() => {
        running ??= deliver()
          .catch(onFault)
          .finally(() => {
            running = null;
          });
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
