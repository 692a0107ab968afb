import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { PageState } from './states/page-state.tsx';

interface ListTableProps<R> extends Omit<DataTableProps<R>, 'rows' | 'more'> {
  /** Of `useList`. */
  readonly list: { readonly query: UseQueryResult<R[]>; readonly more: (() => void) | undefined };
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode;
}

/** A list of the server as a table, page by page. */
export function ListTable<R>({ list, empty, ...table }: ListTableProps<R>): ReactNode {
  return (
    <PageState query={list.query} empty={empty}>
      {(rows) => <DataTable {...table} rows={rows} more={list.more} />}
    </PageState>
  );
}
