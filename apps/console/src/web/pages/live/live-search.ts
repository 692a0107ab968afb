import { searchReader, textTo } from '../../layout/search-reader.ts';

export const readLiveSearch = searchReader({
  /** Separated by commas. */
  types: textTo(2_000),
  account: textTo(200),
  session: textTo(200),
  /** Conditions on members, as they were typed. */
  where: textTo(1_000),
});
export type LiveSearch = Partial<ReturnType<typeof readLiveSearch>>;
