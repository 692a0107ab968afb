const JSON_LINES = 'application/x-ndjson; charset=UTF-8';

/** The Content-Type that ClickHouse gives the results of a format. */
export function contentType(format: string): string {
  if (
    /^JSON(Strings)?(Compact)?(Strings)?EachRow|^JSONLines$|^NDJSON$|^JSONCompactStringsEachRow/.test(format)
  ) {
    return JSON_LINES;
  }
  if (/^JSON/.test(format)) return 'application/json; charset=UTF-8';
  if (/^(TabSeparated|TSV)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  if (/^CSV/.test(format)) {
    return `text/csv; charset=UTF-8; header=${/WithNames/.test(format) ? 'present' : 'absent'}`;
  }
  if (format === 'XML') return 'application/xml; charset=UTF-8';
  if (format === 'Markdown') return 'text/markdown; charset=UTF-8';
  if (
    /^(Pretty|Vertical|Values|SQLInsert|Template|CustomSeparated|LineAsString|Raw|Null|Hash)/.test(format)
  ) {
    return 'text/plain; charset=UTF-8';
  }
  return 'application/octet-stream';
}
