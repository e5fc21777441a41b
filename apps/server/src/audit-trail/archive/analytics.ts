/** SQL over files of history, beside the database: DuckDB over Parquet files. */
export interface Analytics extends AsyncDisposable {
  /** @returns rows with values as JSON has them; rejects with the signal's reason when it is aborted */
  readonly query: <Row>(
    sql: string,
    values?: readonly (string | number)[],
    signal?: AbortSignal,
  ) => Promise<Row[]>;
}

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
