/** The part of the warehouse that delivery needs. */
export interface EventStore {
  /** Never throws. Repeating it with the same body and token stores nothing twice. */
  insertRows(insert: {
    readonly body: readonly Uint8Array[];
    readonly token: string;
    readonly signal?: AbortSignal | undefined;
  }): Promise<StoreOutcome>;
  /** How many rows of each chunk are stored. Throws if it is unknown. */
  countByChunk(chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export type StoreOutcome =
  | { readonly kind: 'stored' }
  | { readonly kind: 'transient'; readonly code: string; readonly known: boolean; readonly message: string }
  | { readonly kind: 'data'; readonly code: string; readonly row: number | null; readonly message: string }
  | { readonly kind: 'schema'; readonly code: string; readonly message: string };

export type Refusal = Extract<StoreOutcome, { kind: 'data' }>;
