import type pg from 'pg';
import { belongsWith, type Database, type Orm } from '../../src/platform/database/database.ts';

/** The error that a caller of a killed server gets. */
export class ServerKilled extends Error {}

/** Whether an error was caused, at any depth, by killing its server. */
export function isKilled(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; depth += 1) {
    if (cause instanceof ServerKilled) return true;
    cause = cause.cause;
  }
  return false;
}

/** Lets a server be killed between any two of its statements, as its process could be. */
export class CrashInjector {
  isDead = false;
  #statementsLeft = Number.POSITIVE_INFINITY;
  #atWork = 0;

  /** True while a statement of the server runs. */
  get isBusy(): boolean {
    return this.#atWork > 0;
  }

  killAfter(statements: number): void {
    this.#statementsLeft = statements;
  }

  /** The database as accessed by the server: unreachable after it was killed. */
  wrap(database: Database): Database {
    return {
      orm: this.#orm(database.orm),
      pool: this.#pool(database.pool),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  #orm<Handle extends object>(handle: Handle): Handle {
    const guarded = guardedMethods(handle, (name, method) => {
      if (name === 'execute') return this.#guarded(method);
      if (name !== 'transaction') return method;
      return this.#guarded((work) =>
        (handle as unknown as Orm).transaction((tx) =>
          (work as (tx: unknown) => Promise<unknown>)(this.#orm(tx)),
        ),
      );
    });
    return belongsWith(guarded, handle);
  }

  #pool(pool: pg.Pool): pg.Pool {
    return guardedMethods(pool, (name, method) => {
      if (name === 'query') return this.#guarded(method);
      return name === 'connect' ? () => this.#connect(pool) : method;
    });
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    this.#live();
    const client = await pool.connect();
    if (this.isDead) client.release();
    this.#live();
    return client;
  }

  /** A statement of a killed process is not run, and results are not delivered to it. */
  #guarded(work: Method): Method {
    return async (...values) => {
      this.#live();
      this.#atWork += 1;
      try {
        const answer = await work(...values);
        this.#live();
        return answer;
      } finally {
        this.#atWork -= 1;
      }
    };
  }

  #live(): void {
    this.#statementsLeft -= 1;
    if (this.#statementsLeft < 0) this.isDead = true;
    if (this.isDead) throw new ServerKilled();
  }
}

type Method = (...values: unknown[]) => Promise<unknown>;

function guardedMethods<Handle extends object>(
  handle: Handle,
  guard: (name: string | symbol, method: Method) => unknown,
): Handle {
  return new Proxy(handle, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? guard(name, value.bind(target) as Method) : value;
    },
  });
}
