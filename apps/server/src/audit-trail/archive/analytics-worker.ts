/** DuckDB in a separate thread, so that neither queries nor reading their rows block requests. */

import { parentPort } from 'node:worker_threads';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

/** A numbered query; without SQL, it cancels the query with that number. */
export interface AnalyticsQuestion {
  readonly id: number;
  readonly sql: string | null;
  readonly values: readonly (string | number)[];
}

export interface AnalyticsAnswer {
  readonly id: number;
  readonly rows?: readonly unknown[];
  readonly error?: string;
}

const instance = open();
const running = new Map<number, DuckDBConnection>();

async function open(): Promise<DuckDBInstance> {
  const opened = await DuckDBInstance.create(':memory:', {
    max_memory: '512MB',
    threads: '2',
    autoinstall_known_extensions: 'false',
  });
  const connection = await opened.connect();
  // The directory of a file's row groups is parsed once, as long as the file is unchanged.
  await connection.run('set global parquet_metadata_cache = true');
  connection.closeSync();
  return opened;
}

parentPort?.on('message', ({ id, sql, values }: AnalyticsQuestion) => {
  if (sql === null) {
    running.get(id)?.interrupt();
    return;
  }
  run(id, sql, values).then(
    (rows) => tell({ id, rows }),
    (error: unknown) => tell({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});

async function run(
  id: number,
  sql: string,
  values: AnalyticsQuestion['values'],
): Promise<readonly unknown[]> {
  const connection = await (await instance).connect();
  running.set(id, connection);
  try {
    const reader = await connection.runAndReadAll(sql, [...values]);
    return reader.getRowObjectsJson();
  } finally {
    running.delete(id);
    connection.closeSync();
  }
}

function tell(answer: AnalyticsAnswer): void {
  parentPort?.postMessage(answer);
}
