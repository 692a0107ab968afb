/** A page of a list that is ordered by a time and, for equal times, by an id. */
export interface PageBy<Time extends string> {
  readonly after: (Readonly<Record<Time, number>> & { readonly id: string }) | null;
  readonly limit: number;
}

/** Before every other id. */
export const noId = '00000000-0000-0000-0000-000000000000';
