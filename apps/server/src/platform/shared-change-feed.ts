import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, ChangeFeed } from './change-feed.ts';
import type { Database } from './database/database.ts';
import { connectBeside } from './database/connections/open-pool.ts';
import { StartError } from './process/start-error.ts';

export interface SharedChangeFeedOptions {
  readonly local: ChangeFeed;
  readonly database: Pick<Database, 'pool'>;
  readonly onError: (error: unknown) => void;
}

const CHANNEL = 'deviceportal_changes';
/** PostgreSQL accepts payloads of less than 8,000 bytes. */
const MOST_BYTES = 7_500;
/** Payloads of one statement. */
const MOST_TOGETHER = 100;
/** While the database does not answer. The oldest ones are lost then. */
const MOST_WAITING = 10_000;
const RECONNECT_MS = 1_000;
/** How long the first notification may take; it is sent again in between. */
const FIRST_NOTICE_LIMIT_MS = 5_000;
const FIRST_NOTICE_INTERVAL_MS = 1_000;

interface Envelope {
  readonly origin: string;
  readonly changes: readonly Change[];
}

/**
 * The change feed across several servers of a database. Notifications can be lost while a
 * connection is down, so listeners must also poll.
 *
 * @throws StartError if notifications do not arrive, as behind a pooler in transaction mode
 */
export async function openSharedChangeFeed(
  options: SharedChangeFeedOptions,
): Promise<ChangeFeed & AsyncDisposable> {
  const { local, database, onError } = options;
  const origin = randomUUID();
  const stopping = new AbortController();
  const { promise: heard, resolve: hearOwn } = Promise.withResolvers<true>();
  const listening = listen(options, {
    origin,
    signal: stopping.signal,
    hearOwn: () => hearOwn(true),
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await listening.finished;
  };
  await listening.first;
  if (!(await hearsItself({ database, origin, heard }))) {
    await stop();
    throw new StartError(
      'The database connection does not deliver notifications (LISTEN), which servers use to tell each other of changes. A connection pooler in transaction mode, such as PgBouncer, does not support them. Connect to PostgreSQL directly, or to a pooler in session mode.',
    );
  }
  const send = inOrder((payloads) => notify(database, payloads).catch(onError));
  return {
    publish(changes) {
      local.publish(changes);
      send(toPayloads(origin, changes));
    },
    subscribe: (listener) => local.subscribe(listener),
    [Symbol.asyncDispose]: stop,
  };
}

async function notify(
  { pool }: Pick<Database, 'pool'>,
  payloads: readonly string[],
): Promise<void> {
  await pool.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [
    CHANNEL,
    payloads,
  ]);
}

/**
 * One statement after the other, because those on several connections overtake each other: bytes of terminals and web
 * pages would have to be sent again.
 */
function inOrder(
  sendAll: (payloads: readonly string[]) => Promise<void>,
): (payloads: readonly string[]) => void {
  const waiting: string[] = [];
  let isSending = false;
  const sendWaiting = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0) await sendAll(waiting.splice(0, MOST_TOGETHER));
    isSending = false;
  };
  return (payloads) => {
    for (const payload of payloads) waiting.push(payload);
    if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING);
    if (!isSending) void sendWaiting();
  };
}

async function hearsItself({
  database,
  origin,
  heard,
}: {
  readonly database: Pick<Database, 'pool'>;
  readonly origin: string;
  readonly heard: Promise<true>;
}): Promise<boolean> {
  const deadline = performance.now() + FIRST_NOTICE_LIMIT_MS;
  const payload = JSON.stringify({ origin, changes: [] } satisfies Envelope);
  do {
    await notify(database, [payload]);
    const isHeard = await Promise.race([heard, sleep(FIRST_NOTICE_INTERVAL_MS, false)]);
    if (isHeard) return true;
  } while (performance.now() < deadline);
  return false;
}

/** Splits a change with many IDs into several payloads if needed. */
export function toPayloads(origin: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const payload = JSON.stringify({ origin, changes } satisfies Envelope);
  if (Buffer.byteLength(payload) <= MOST_BYTES) return [payload];
  if (changes.length > 1) {
    const middle = Math.ceil(changes.length / 2);
    return [
      ...toPayloads(origin, changes.slice(0, middle)),
      ...toPayloads(origin, changes.slice(middle)),
    ];
  }
  const [change] = changes;
  return change ? halves(change).flatMap((half) => toPayloads(origin, [half])) : [];
}

function halves(change: Change): Change[] {
  const field = (
    ['deviceIds', 'runIds', 'invocationIds', 'changed', 'subjects', 'caseIds', 'people'] as const
  ).find((name) => name in change);
  if (field) {
    const list = (change as unknown as Record<string, readonly unknown[]>)[field] ?? [];
    const middle = Math.ceil(list.length / 2);
    if (list.length < 2) return [];
    return [list.slice(0, middle), list.slice(middle)].map(
      (part) => ({ ...change, [field]: part }) as Change,
    );
  }
  if (change.kind !== 'output' || change.text.length < 2) return [];
  const middle = Math.ceil(change.text.length / 2);
  return [
    { ...change, text: change.text.slice(0, middle) },
    { ...change, offset: change.offset + middle, text: change.text.slice(middle) },
  ];
}

function listen(
  { local, database, onError }: SharedChangeFeedOptions,
  {
    origin,
    signal,
    hearOwn,
  }: { readonly origin: string; readonly signal: AbortSignal; readonly hearOwn: () => void },
): { readonly first: Promise<void>; readonly finished: Promise<void> } {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const hear = (payload: string | undefined): void => {
    const envelope = JSON.parse(payload ?? '') as Envelope;
    if (envelope.origin === origin) hearOwn();
    else local.publish(envelope.changes);
  };
  const connect = async (): Promise<void> => {
    const client = await connectBeside(database.pool, {
      application_name: 'device-portal changes',
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    client.on('error', onError);
    client.on('end', () => end());
    client.on('notification', ({ payload }) => hear(payload));
    const stop = (): void => void client.end();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await client.query(`listen ${CHANNEL}`);
    resolve();
    await ended;
    signal.removeEventListener('abort', stop);
  };
  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      await connect().catch(onError);
      if (!signal.aborted) await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  };
  return { first, finished: keepListening() };
}
