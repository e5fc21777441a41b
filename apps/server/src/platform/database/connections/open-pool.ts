import pg from 'pg';
import {
  connectWith,
  type DatabaseCredentials,
  type RotatedCredentials,
} from './rotated-credentials.ts';

/** How connections to a database are opened. */
export interface DatabaseAccess {
  readonly connection: pg.ClientConfig;
  /** Undefined if user and password are part of `connection`. */
  readonly credentials?: RotatedCredentials;
}

export function openPool(
  { connection, credentials }: DatabaseAccess,
  options: pg.PoolConfig,
): pg.Pool {
  return credentials === undefined
    ? new pg.Pool({ ...connection, ...options })
    : new RotatingPool(credentials, { ...connection, ...options });
}

/** A pool with connections of its own to the same database, with other options. */
export function openPoolBeside(pool: pg.Pool, options: pg.PoolConfig): pg.Pool {
  return openPool(accessOf(pool), options);
}

/**
 * A connection of its own to the database of a pool. It is connected, and its error events are
 * ignored: statements and the event `end` report them.
 */
export function connectBeside(pool: pg.Pool, options: pg.ClientConfig): Promise<pg.Client> {
  const { connection, credentials: source } = accessOf(pool);
  const connect = async (credentials?: DatabaseCredentials): Promise<pg.Client> => {
    const client = new pg.Client({ ...connection, ...credentials, ...options });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };
  return source === undefined ? connect() : connectWith(source, connect);
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** New connections use the current credentials; open ones stay open when those are rotated. */
class RotatingPool extends pg.Pool {
  readonly credentials: RotatedCredentials;

  constructor(credentials: RotatedCredentials, options: pg.PoolConfig) {
    const password = async (): Promise<string> => (await credentials.current()).password;
    super({ ...options, password });
    this.credentials = credentials;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const connected = connectWith(this.credentials, ({ user }) => {
      this.options.user = user;
      return super.connect();
    });
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }
}

function accessOf(pool: pg.Pool): DatabaseAccess {
  // The pool hides its password from copies.
  const connection = { ...pool.options, password: pool.options.password };
  return pool instanceof RotatingPool
    ? { connection, credentials: pool.credentials }
    : { connection };
}
