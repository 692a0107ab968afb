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
