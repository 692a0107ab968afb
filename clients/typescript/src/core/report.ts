/**
 * Reports what a developer must mend. Players never see it, so the texts are in a file of their own, which is loaded in
 * debug mode only.
 */
export type Report = (problem: Problem, detail?: unknown) => void;

export type Problem =
  | 'consent'
  | 'track'
  | 'tooLarge'
  | 'storage'
  | 'seal'
  | 'read'
  | 'deleted'
  | 'send'
  | 'state'
  | 'device'
  | 'sessions'
  | 'changed'
  | 'folder'
  | 'address'
  | 'answer';

export const silence = () => undefined;
