export interface ResultFormat {
  readonly clickhouse: string;
  readonly contentType: string;
}

/** The formats of a result, with the name in ClickHouse and the Content-Type. */
export const queryFormats = {
  JSON: { clickhouse: 'JSON', contentType: 'application/json; charset=utf-8' },
  JSONEachRow: { clickhouse: 'JSONEachRow', contentType: 'application/x-ndjson; charset=utf-8' },
  CSV: { clickhouse: 'CSVWithNames', contentType: 'text/csv; charset=utf-8; header=present' },
  Parquet: { clickhouse: 'Parquet', contentType: 'application/vnd.apache.parquet' },
  Arrow: { clickhouse: 'Arrow', contentType: 'application/vnd.apache.arrow.file' },
} as const satisfies Readonly<Record<string, ResultFormat>>;

export type QueryFormat = keyof typeof queryFormats;
