import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { connectBeside } from './open-pool.ts';

export interface SessionLockOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly name: string;
  /** How long to wait for a holder that is just ending. Default: 3 s. */
  readonly waitMs?: number;
  /** Called if the connection was lost and another server has the lock now. */
  readonly onLost: (holder: string) => void;
  readonly onError: (error: unknown) => void;
}

/** A lock that one server of a database holds for as long as it runs. */
export interface SessionLock extends AsyncDisposable {
  readonly isHeld: boolean;
}

/** Another server has the lock. */
export class LockHeldError extends Error {
  /** Host name and process ID. */
  readonly holder: string;

  constructor(holder: string) {
    super(`held by ${holder}`);
    this.name = 'LockHeldError';
    this.holder = holder;
  }
}

const WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 100;
const RECLAIM_INTERVAL_MS = 1_000;
const HEARTBEAT_INTERVAL_MS = 5_000;
const ANSWER_LIMIT_MS = 10_000;
/**
 * PostgreSQL notices a killed process at once, and a lost machine within 25 seconds. Without these
 * settings, the latter can take hours.
 */
const SESSION_SETTINGS = `select set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('idle_session_timeout', '0', false)`;
/** PostgreSQL shows 63 characters of an application name. */
const HOST_CHARACTERS = 25;

/**
 * Holds an advisory lock of PostgreSQL on a separate connection. It ends with the process, however
 * that ends. After a lost connection, the lock is claimed again.
 *
 * @throws LockHeldError
 */
export async function holdSessionLock(options: SessionLockOptions): Promise<SessionLock> {
  const lock = new ServerLock(options);
  await lock.claimFirst(options.waitMs ?? WAIT_MS);
  return lock;
}

class ServerLock implements SessionLock {
  readonly #options: SessionLockOptions;
  readonly #stopping = new AbortController();
  readonly #application: string;
  #client: pg.Client | undefined;
  #claiming: Promise<void> | undefined;

  constructor(options: SessionLockOptions) {
    this.#options = options;
    const self = `${hostname().slice(0, HOST_CHARACTERS)}:${process.pid}`;
    // Containers can have the same host name and process ID.
    this.#application = `${prefixOf(options.name)}${self} ${randomUUID().slice(0, 8)}`;
  }

  get isHeld(): boolean {
    return this.#client !== undefined;
  }

  async claimFirst(waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const holder = await this.#claim();
      if (holder === undefined) return;
      if (performance.now() > deadline) throw new LockHeldError(this.#nameOf(holder));
      await sleep(POLL_INTERVAL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#claiming;
    await this.#client?.end();
    this.#client = undefined;
  }

  /** @returns the application name of the holder, undefined if this server has the lock now */
  async #claim(): Promise<string | undefined> {
    const client = await connectBeside(this.#options.database.pool, {
      application_name: this.#application,
      query_timeout: ANSWER_LIMIT_MS,
    });
    try {
      await client.query(SESSION_SETTINGS);
      const holder = await tryLock(client, this.#options.name);
      if (holder === undefined) {
        this.#watch(client);
        return undefined;
      }
      await client.end();
      return holder;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  #watch(client: pg.Client): void {
    this.#client = client;
    const heartbeat = setInterval(() => {
      client.query('select 1').catch(() => this.#lose(client));
    }, HEARTBEAT_INTERVAL_MS);
    heartbeat.unref();
    client.once('end', () => {
      clearInterval(heartbeat);
      this.#lose(client);
    });
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void client.end().catch(() => {});
    if (!this.#stopping.signal.aborted) this.#claiming = this.#claimAgain();
  }

  async #claimAgain(): Promise<void> {
    const { onError, onLost } = this.#options;
    const { signal } = this.#stopping;
    let isReported = false;
    while (!signal.aborted) {
      try {
        const holder = await this.#claim();
        if (holder === undefined) return;
        // The previous connection can still be open on the side of the database.
        if (holder !== this.#application) {
          onLost(this.#nameOf(holder));
          return;
        }
      } catch (error) {
        if (!isReported) onError(error);
        isReported = true;
      }
      await sleep(RECLAIM_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  #nameOf(application: string): string {
    const prefix = prefixOf(this.#options.name);
    const [self = ''] = application.slice(prefix.length).split(' ');
    return application.startsWith(prefix) ? self : 'another server';
  }
}

const prefixOf = (name: string): string => `device-portal ${name} `;

/** @returns the application name of the holder, undefined if the lock was acquired */
async function tryLock(client: pg.Client, name: string): Promise<string | undefined> {
  const { rows: tried } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(hashtext($1)) as held',
    [name],
  );
  if (tried[0]?.held === true) return undefined;
  const { rows } = await client.query<{ application: string | null }>(
    `select application_name as application
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and ((classid::bigint << 32) | objid::bigint) = hashtext($1)`,
    [name],
  );
  // Released in between.
  if (rows.length === 0) return tryLock(client, name);
  return rows[0]?.application ?? '';
}
