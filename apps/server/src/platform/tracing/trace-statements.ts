import type pg from 'pg';
import { operationOf, statementText } from './statement-text.ts';
import type { TracedWork } from './telemetry-package.ts';
import { workChannel } from './traced.ts';

type Query = (...given: unknown[]) => unknown;

/** Announces the statements of a connection for traces, without their values. */
export function traceStatements(client: pg.ClientBase): void {
  if (!workChannel.hasSubscribers) return;
  const query = client.query.bind(client) as Query;
  client.query = ((...given: unknown[]) => {
    const text = textOf(given[0]);
    if (text === undefined) return query(...given);
    const work = workOf(text);
    const last = given.length - 1;
    if (typeof given[last] === 'function') {
      return workChannel.traceCallback(query, last, work, undefined, ...given);
    }
    return workChannel.tracePromise(() => query(...given) as Promise<unknown>, work);
  }) as typeof client.query;
}

/** Undefined for cursors and copies, which report their progress by themselves. */
function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given !== 'object' || given === null || 'submit' in given) return undefined;
  const { text } = given as { readonly text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

const workOf = (text: string): TracedWork => ({
  kind: 'client',
  name: operationOf(text),
  attributes: {
    'db.system.name': 'postgresql',
    'db.operation.name': operationOf(text),
    'db.query.text': statementText(text),
  },
  onlyWithin: true,
});
