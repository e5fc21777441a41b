import { createDispatcher, type Dispatcher } from '../../../src/commands/execution/dispatcher.ts';
import type { DeviceTransport, DownMessage } from '../../../src/gateway/device-transport.ts';
import { JournalIngest } from '../../../src/gateway/ingest-journal.ts';
import {
  createLocalChangeFeed,
  type Change,
  type ChangeFeed,
} from '../../../src/platform/change-feed.ts';
import type { Database, Orm } from '../../../src/platform/database/database.ts';
import { plainVault } from '../gateway-bed.ts';
import { testRunKeys, testRunSigning } from '../run-signing.ts';

/** What whoever waits for an answer of a killed server gets. */
export class ServerKilled extends Error {}

/** Where the messages of a server go, and its news. */
export interface Outside {
  readonly publish: (messages: readonly DownMessage[]) => void;
  readonly tell: (changes: readonly Change[]) => void;
}

/** A server as far as runs go, which can be killed between any two statements. */
export class MortalServer implements AsyncDisposable {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly dispatcher: Dispatcher;
  readonly ingest: JournalIngest;
  /** News from the other server. */
  readonly hear: (changes: readonly Change[]) => void;
  isDead = false;
  /** What the server had to complain of while it lived. */
  readonly complaints: unknown[] = [];
  #statementsLeft = Number.POSITIVE_INFINITY;
  #atWork = 0;

  constructor(database: Database, outside: Outside) {
    this.database = { ...database, orm: this.#mortal(database.orm) };
    const local = createLocalChangeFeed(() => {});
    this.hear = (changes) => local.publish(changes);
    this.changes = {
      subscribe: (listener) => local.subscribe(listener),
      publish: (changes) => {
        if (this.isDead) return;
        local.publish(changes);
        outside.tell(changes);
      },
    };
    const transport: DeviceTransport = {
      ownsConnections: true,
      start: () => Promise.resolve(),
      publish: (messages) => {
        if (!this.isDead) outside.publish(messages);
      },
      disconnect: () => {},
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const complain = ({ err }: { readonly err?: unknown }): void => {
      if (!this.isDead) this.complaints.push(err);
    };
    const logger = { info() {}, warn: complain, error: complain };
    const shared = { database: this.database, changes: this.changes, transport, logger };
    this.dispatcher = createDispatcher({
      ...shared,
      vault: plainVault,
      signing: testRunSigning(),
      artefactUploadUrl: () => null,
      pollIntervalMs: 1_000_000,
    });
    const authority = { authorities: '', sign: () => Promise.reject(new Error('not asked for')) };
    this.ingest = new JournalIngest(
      { ...shared, authority, runKeys: testRunKeys(), clock: () => new Date() },
      { refusals: { record() {} }, overflow: { note() {} } },
      { gapPatienceMs: 1_000_000 },
    );
  }

  get isBusy(): boolean {
    return this.#atWork > 0;
  }

  killAfter(statements: number): void {
    this.#statementsLeft = statements;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.dispatcher[Symbol.asyncDispose](), this.ingest[Symbol.asyncDispose]()]);
  }

  /** A statement of a dead process is not run, and what one has answered is not heard. */
  #mortal<Handle extends object>(handle: Handle): Handle {
    const guarded =
      (work: (...values: unknown[]) => Promise<unknown>) =>
      async (...values: unknown[]): Promise<unknown> => {
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
    return new Proxy(handle, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...values: unknown[]) => Promise<unknown>;
        if (name === 'execute') return guarded(method);
        if (name !== 'transaction') return method;
        return guarded((work) =>
          (target as unknown as Orm).transaction((tx) =>
            (work as (tx: unknown) => Promise<unknown>)(this.#mortal(tx)),
          ),
        );
      },
    });
  }

  #live(): void {
    this.#statementsLeft -= 1;
    if (this.#statementsLeft < 0) this.isDead = true;
    if (this.isDead) throw new ServerKilled();
  }
}
