import { setTimeout as sleep } from 'node:timers/promises';

/** User and password of new connections. */
export interface DatabaseCredentials {
  readonly user: string;
  readonly password: string;
}

export interface RotatedCredentialsOptions {
  readonly read: () => Promise<DatabaseCredentials>;
  /** Age after which they are read again before the database rejects them. Default: none. */
  readonly maxAgeMs?: number;
  /** How long to wait for other credentials after the database rejected these. Default: 10 s. */
  readonly waitMs?: number;
  /** Called if they could not be read again. */
  readonly onError: (error: unknown) => void;
}

const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/**
 * Credentials that are changed while the server runs. They are read once for all connections, and
 * again when the database rejects them.
 */
export class RotatedCredentials {
  readonly #options: RotatedCredentialsOptions;
  #known: { readonly credentials: DatabaseCredentials; readonly readAt: number } | undefined;
  #reading: Promise<DatabaseCredentials> | undefined;
  #renewing: Promise<DatabaseCredentials | undefined> | undefined;

  constructor(options: RotatedCredentialsOptions) {
    this.#options = options;
  }

  async current(): Promise<DatabaseCredentials> {
    const { maxAgeMs = Number.POSITIVE_INFINITY, onError } = this.#options;
    const known = this.#known;
    if (known === undefined) return this.#read();
    if (performance.now() - known.readAt < maxAgeMs) return known.credentials;
    return this.#read().catch((error: unknown) => {
      onError(error);
      return known.credentials;
    });
  }

  /**
   * The credentials that replace rejected ones. A rotation changes the password in the database
   * shortly before the secret, so it waits for the change.
   *
   * @returns undefined if there are no others within the wait
   */
  async after(rejected: DatabaseCredentials): Promise<DatabaseCredentials | undefined> {
    const known = this.#known?.credentials;
    if (known !== undefined && !isSame(known, rejected)) return known;
    this.#renewing ??= this.#renew(rejected).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renew(rejected: DatabaseCredentials): Promise<DatabaseCredentials | undefined> {
    const deadline = performance.now() + (this.#options.waitMs ?? WAIT_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const found = await this.#read();
        if (!isSame(found, rejected)) return found;
      } catch (error) {
        this.#options.onError(error);
      }
      if (performance.now() + pauseMs > deadline) return undefined;
      await sleep(pauseMs);
    }
  }

  #read(): Promise<DatabaseCredentials> {
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readOnce(): Promise<DatabaseCredentials> {
    const credentials = await this.#options.read();
    this.#known = { credentials, readAt: performance.now() };
    return credentials;
  }
}

const isSame = (one: DatabaseCredentials, other: DatabaseCredentials): boolean =>
  one.user === other.user && one.password === other.password;

/** PostgreSQL, appendix A, class 28: the user or the password was rejected. */
const REJECTED = ['28P01', '28000'];
const MAX_ATTEMPTS = 5;

/**
 * Connects with the current credentials, and again with those that replace them if the database
 * rejects them. Each replacement is tried once.
 */
export async function connectWith<Connection>(
  source: RotatedCredentials,
  connect: (credentials: DatabaseCredentials) => Promise<Connection>,
): Promise<Connection> {
  let credentials = await source.current();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(credentials);
    } catch (error) {
      if (!REJECTED.includes((error as { code?: string }).code ?? '')) throw error;
      const next = attempt < MAX_ATTEMPTS ? await source.after(credentials) : undefined;
      if (next === undefined) throw error;
      credentials = next;
    }
  }
}
