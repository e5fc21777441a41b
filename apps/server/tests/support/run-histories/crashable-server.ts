import { createDispatcher, type Dispatcher } from '../../../src/commands/execution/dispatcher.ts';
import type { DeviceTransport, DownMessage } from '../../../src/gateway/device-transport.ts';
import { JournalIngest } from '../../../src/gateway/journal/ingest-journal.ts';
import {
  createLocalChangeFeed,
  type Change,
  type ChangeFeed,
} from '../../../src/platform/change-feed.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { plainVault } from '../gateway-fixture.ts';
import { CrashInjector } from '../crash-injector.ts';
import { testDeviceKeys, testRunSigning } from '../run-signing.ts';
import { testConnection } from '../brokers/test-connection.ts';

/** The messages and changes that a server sends. */
export interface Outside {
  readonly publish: (messages: readonly DownMessage[]) => void;
  readonly tell: (changes: readonly Change[]) => void;
}

/** The part of a server that executes runs, which can be killed between any two statements. */
export class CrashableServer implements AsyncDisposable {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly dispatcher: Dispatcher;
  readonly ingest: JournalIngest;
  /** Changes of the other server. */
  readonly hear: (changes: readonly Change[]) => void;
  /** Warnings that the server logged while it ran. */
  readonly complaints: unknown[] = [];
  readonly #crash = new CrashInjector();

  constructor(database: Database, outside: Outside) {
    this.database = this.#crash.wrap(database);
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
      listeningMs: () => Number.POSITIVE_INFINITY,
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
    const authority = {
      authorities: '',
      isRotating: false,
      sign: () => Promise.reject(new Error('not expected')),
    };
    this.ingest = new JournalIngest(
      {
        ...shared,
        authority,
        deviceKeys: testDeviceKeys(),
        connection: testConnection(),
        clock: () => new Date(),
      },
      { refusals: { record() {} }, overflow: { note() {} } },
      { gapPatienceMs: 1_000_000 },
    );
  }

  get isDead(): boolean {
    return this.#crash.isDead;
  }

  get isBusy(): boolean {
    return this.#crash.isBusy;
  }

  killAfter(statements: number): void {
    this.#crash.killAfter(statements);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.dispatcher[Symbol.asyncDispose](), this.ingest[Symbol.asyncDispose]()]);
  }
}
