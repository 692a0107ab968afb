import type { IconName } from '../../look/icon.tsx';

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** The keys that do the same without the palette. */
  readonly keys?: string;
  /** What it opens, for a name that somebody chose. */
  readonly kind?: string;
  readonly run: () => void;
}
