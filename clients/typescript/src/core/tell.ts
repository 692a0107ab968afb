import type { Options } from './options.ts';

/**
 * Reports what a developer must mend. Players never see it, so the texts are in a file of their own, which is loaded in
 * debug mode only.
 */
export type Tell = (problem: Problem, detail?: unknown) => void;

export type Problem =
  | 'track'
  | 'tooLarge'
  | 'storage'
  | 'seal'
  | 'read'
  | 'send'
  | 'state'
  | 'device'
  | 'sessions'
  | 'changed'
  | 'folder'
  | 'answer';

export const silence = () => undefined;

/** Loads the texts, if the developer asked for them. */
export async function createTell({ debug }: Options): Promise<Tell> {
  if (!debug) return silence;
  try {
    const { explainTo } = await import('../debug/explain.ts');
    return explainTo(debug);
  } catch {
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    console.warn('tickrate: put debug.js beside this script to see what is wrong');
    return silence;
  }
}
