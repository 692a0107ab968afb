import { oneOf, searchReader, textTo } from '../../layout/search-reader.ts';

export const readQuarantineSearch = searchReader({
  kind: oneOf(['rejected', 'dead']),
  type: textTo(200),
  reason: textTo(200),
  entry: textTo(200),
});
export type QuarantineSearch = Partial<ReturnType<typeof readQuarantineSearch>>;

/** Which entries: the filter of the calls. */
export interface QuarantineFilter {
  readonly kind?: 'rejected' | 'dead';
  readonly type?: string;
  readonly reason?: string;
}
