import type { Problem, Report } from '../core/report.ts';
import { adviseOnAddress, adviseOnAnswer } from './advise.ts';

const texts: Readonly<Record<Exclude<Problem, 'answer' | 'address'>, (detail: string) => string>> = {
  consent: () =>
    'the consent is unknown: nothing is sent, and up to 200 events wait in memory, until the game calls setConsent() or ' +
    'passes the option consent',
  track: (error) => `track() failed: ${error}. Pass an event of generated code, without cycles or bigint`,
  tooLarge: (type) => `an event of type ${type} is larger than 64 KiB and was dropped`,
  storage: (error) =>
    `the buffer cannot be written, and track() returns false: ${error}. Check the folder and the free space`,
  seal: (error) => `a segment cannot be sealed: ${error}. It is sent after the next start`,
  read: (error) => `a segment cannot be read: ${error}`,
  deleted: (error) =>
    `a part of the buffer was deleted while the game runs, and its events are lost: ${error}. Leave its folder, or the data of the site, alone`,
  send: (error) => `sending stopped: ${error}`,
  state: (error) => `state.json cannot be written: ${error}`,
  device: adviseOnDevice,
  sessions: (answer) =>
    `${answer} to the sign-in, but not as Tickrate does: set sessionsUrl, or SESSIONS_URL on the server`,
  changed: () => 'a segment was changed after it was sent; it was set aside',
  folder: (where) => `the folder ${where}. Events are kept in memory only`,
};

function adviseOnDevice(code: string): string {
  if (code === '4006')
    return 'the account of this device is banned (code 4006): its events wait until the ban ends';
  return code.startsWith('2')
    ? `the option key was refused by the sign-in (code ${code}): pass a public key of the project, tk_pub_…`
    : 'the project does not let a device sign in by itself: call signIn(), or set account to "key"';
}

/** Prints each problem once. */
export function explainTo(debug: true | ((message: string) => void)): Report {
  const printed = new Set<string>();
  const say = (id: string, message: string) => {
    if (printed.has(id)) return;
    printed.add(id);
    if (typeof debug === 'function') debug(message);
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    else console.warn(`tickrate: ${message}`);
  };
  return (problem, detail) => {
    if (problem === 'answer') adviseOnAnswer(detail as Parameters<typeof adviseOnAnswer>[0], say);
    else if (problem === 'address') adviseOnAddress(detail as Parameters<typeof adviseOnAddress>[0], say);
    else say(problem, texts[problem](String(detail)));
  };
}
