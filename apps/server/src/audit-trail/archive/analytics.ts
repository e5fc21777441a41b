/**
 * Queries on archive files: DuckDB reads Parquet. Its SQL is not PostgreSQL and names no tables, so it stands where files
 * are read, and rows are typed by what is written to the files: `AuditRecord`.
 */
export interface Analytics extends AsyncDisposable {
  /** Returns rows with JSON values; rejects with the signal's reason after an abort. */
  readonly query: <Row>(
    sql: string,
    values?: readonly (string | number)[],
    signal?: AbortSignal,
  ) => Promise<Row[]>;
}

/** A text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
