import { setTimeout as sleep } from 'node:timers/promises';
import type { RunQuery } from './athena-front.ts';
import { TRINO_CATALOG } from './start-trino.ts';

interface Answer {
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string }[];
  readonly data?: readonly (readonly (string | null)[])[];
  readonly error?: { readonly message: string };
  readonly stats: { readonly physicalInputBytes: number };
}

const HEADERS = { 'X-Trino-User': 'test', 'X-Trino-Catalog': TRINO_CATALOG };

/** Runs SQL on Trino, with parameters as expressions (Trino documentation, client REST API). */
export const queryOnTrino =
  (endpoint: string): RunQuery =>
  async ({ sql, parameters }, { signal, onBytes }) => {
    const using = parameters.length === 0 ? '' : ` using ${parameters.join(', ')}`;
    let answer = await call(`${endpoint}/v1/statement`, {
      method: 'POST',
      body: `execute immediate '${sql.replaceAll("'", "''")}'${using}`,
    });
    const rows: (readonly (string | null)[])[] = [];
    let columns: readonly string[] = [];
    for (;;) {
      const { nextUri, data = [], error, stats } = answer;
      onBytes(stats.physicalInputBytes);
      if (error !== undefined) throw new Error(error.message);
      columns = answer.columns?.map(({ name }) => name) ?? columns;
      rows.push(...data);
      if (nextUri === undefined) return { columns, rows };
      if (signal.aborted) {
        await fetch(nextUri, { method: 'DELETE', headers: HEADERS });
        signal.throwIfAborted();
      }
      answer = await call(nextUri, {});
    }
  };

async function call(url: string, init: RequestInit): Promise<Answer> {
  for (;;) {
    const response = await fetch(url, { ...init, headers: HEADERS });
    if (response.ok) return (await response.json()) as Answer;
    await response.body?.cancel();
    if (response.status !== 503) throw new Error(`Trino answered ${response.status}`);
    await sleep(50);
  }
}
