import { inTransaction, type Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging.ts';
import { recordAudit, systemActor } from './record-audit.ts';

const WINDOW_MS = 600_000;

export interface RefusedLinksOptions {
  readonly database: Database;
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: () => Date;
  readonly windowMs?: number;
}

/**
 * Counts links with an invalid signature, and records one `access.links-refused` for each time window: attempts need no
 * account and must not fill the trail.
 */
export class RefusedLinks implements AsyncDisposable {
  readonly #options: RefusedLinksOptions;
  #since: Date | undefined;
  #counts: Record<string, number> = {};
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: RefusedLinksOptions) {
    this.#options = options;
  }

  /** @param purpose of the link: one of a few fixed values */
  note(purpose: string): void {
    this.#counts[purpose] = (this.#counts[purpose] ?? 0) + 1;
    this.#since ??= this.#options.clock();
    this.#timer ??= setTimeout(() => this.#record(), this.#options.windowMs ?? WINDOW_MS).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#record();
    await this.#work;
  }

  #record(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#since === undefined) return;
    const { database, logger, clock } = this.#options;
    const data = {
      since: this.#since.toISOString(),
      until: clock().toISOString(),
      counts: this.#counts,
    };
    this.#since = undefined;
    this.#counts = {};
    this.#work = this.#work
      .then(() =>
        inTransaction(database, (tx) =>
          recordAudit(tx, [{ type: 'access.links-refused', actor: systemActor, data }]),
        ),
      )
      .then(
        () => {},
        (error: unknown) => logger.warn({ err: error, ...data }, 'recording refused links failed'),
      );
  }
}
