import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { repeat } from '../platform/process/repeat.ts';
import { AttachedTerminal, type AttachedTerminalOptions } from './attached-terminal.ts';
import { keepAttached } from './data/attached-queries.ts';

const CHECK_MS = 2_000;
/** Rights are read with a few statements for each user; more would delay what users type. */
const CHECKED_AT_ONCE = 2;

/** The sessions that browsers of this server hold. */
export class AttachedTerminals implements AsyncDisposable {
  readonly #database: Pick<Database, 'orm'>;
  readonly #terminals = new Map<string, AttachedTerminal>();
  readonly #checks: AsyncDisposable;

  constructor({
    database,
    logger,
  }: {
    readonly database: Pick<Database, 'orm'>;
    readonly logger: GatewayLogger;
  }) {
    this.#database = database;
    const onError = (error: unknown) => logger.warn({ err: error }, 'terminals not checked');
    this.#checks = repeat(() => this.#check(), { everyMs: CHECK_MS, onError });
  }

  /** Takes the session over from an earlier browser of this server. */
  add(options: Omit<AttachedTerminalOptions, 'onGone'>): AttachedTerminal {
    const { id } = options.row;
    this.#terminals.get(id)?.release();
    const terminal: AttachedTerminal = new AttachedTerminal({
      ...options,
      onGone: () => {
        if (this.#terminals.get(id) === terminal) this.#terminals.delete(id);
      },
    });
    this.#terminals.set(id, terminal);
    return terminal;
  }

  onChange(sessionId: string, change: Change): void {
    this.#terminals.get(sessionId)?.onChange(change);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of [...this.#terminals.values()]) terminal.release();
    await this.#checks[Symbol.asyncDispose]();
  }

  async #check(): Promise<void> {
    const terminals = [...this.#terminals.values()];
    if (terminals.length === 0) return;
    const kept = await keepAttached(
      this.#database.orm,
      terminals.map(({ row }) => row),
    );
    for (const terminal of terminals) terminal.noteKept(kept.get(terminal.row.id));
    const waiting = terminals.values();
    const checkOthers = async (): Promise<void> => {
      for (const terminal of waiting) await terminal.checkRights();
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkOthers));
  }
}
