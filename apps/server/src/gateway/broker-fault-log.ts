import type { GatewayLogger } from './gateway-logger.ts';

const FIRST_SILENCE_MS = 5_000;
const LONGEST_SILENCE_MS = 300_000;

/** Logs the first failure, and further ones at growing intervals. */
export class BrokerFaultLog {
  readonly #logger: GatewayLogger;
  #failures = 0;
  #silentUntilMs = 0;
  #waitMs = FIRST_SILENCE_MS;
  last: Error | undefined;

  constructor(logger: GatewayLogger) {
    this.#logger = logger;
  }

  note(error: Error, broker: string): void {
    this.last = error;
    this.#failures += 1;
    const nowMs = performance.now();
    if (nowMs < this.#silentUntilMs) return;
    this.#logger.warn(
      { err: error, broker, failures: this.#failures },
      'external broker disconnected',
    );
    this.#silentUntilMs = nowMs + this.#waitMs;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_SILENCE_MS);
  }

  end(broker: string): void {
    if (this.#failures > 0)
      this.#logger.info({ broker, failures: this.#failures }, 'external broker reconnected');
    this.#failures = 0;
    this.#silentUntilMs = 0;
    this.#waitMs = FIRST_SILENCE_MS;
  }
}
