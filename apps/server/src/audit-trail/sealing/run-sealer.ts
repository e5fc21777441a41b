import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ReadinessBoard } from '../../platform/readiness-board.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { reportSealStop } from './report-seal-stop.ts';
import { requeueLostEvents } from './requeue-lost-events.ts';
import { requireSoundHead } from './require-sound-head.ts';
import { sealAuditTrail, type SealDeps } from './seal-audit-trail.ts';
import { SealStopped } from './seal-stopped.ts';

const SEAL_EVERY_MS = 1_000;
const REQUEUE_EVERY_MS = 300_000;
/** Small batches with a rest after each: hashing a burst must not keep requests waiting. About 7,000 a second. */
const SEAL_BATCH = 500;
const SEAL_REST_MS = 50;

export interface SealerDeps extends SealDeps {
  readonly changes: ChangeFeed;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
  /** A line for the operator, once everything is up. */
  readonly announce: (line: string) => void;
}

/**
 * Seals the trail for as long as the server runs. Where the chain cannot be verified nothing is sealed, and that is said
 * at the start, in the log, at `/readyz` and `/metrics`, to people and in the trail; sealing goes on by itself when the
 * reason is gone.
 */
export async function runSealer(resources: AsyncDisposableStack, deps: SealerDeps): Promise<void> {
  const watch = new SealWatch(deps);
  await requireSoundHead(deps.database.orm, deps.signer).catch((error: unknown) => {
    if (!(error instanceof SealStopped)) throw error;
    deps.announce(`${upperFirst(error.message)}. See docs/guides/audit-proof.md.`);
  });
  let stopping = false;
  let requeueAt = 0;
  resources.use(
    repeat(
      async () => {
        if (Date.now() >= requeueAt) {
          requeueAt = Date.now() + REQUEUE_EVERY_MS;
          await requeue(deps);
        }
        while (!stopping && (await sealAuditTrail(deps, SEAL_BATCH)) === SEAL_BATCH) {
          await sleep(SEAL_REST_MS);
        }
        watch.goesOn();
      },
      { everyMs: SEAL_EVERY_MS, onError: (error) => void watch.failed(error) },
    ),
  );
  // Before the line above waits for its round: a stop does not wait for a burst to be sealed.
  resources.defer(() => {
    stopping = true;
  });
}

async function requeue({ database, clock, logger }: SealerDeps): Promise<void> {
  const events = await requeueLostEvents(database, clock());
  if (events > 0) {
    logger.error({ events }, 'audit events removed from the sealing queue; queued again');
  }
}

/** Says it once when sealing stops, and once when it goes on. */
class SealWatch {
  readonly #deps: SealerDeps;
  readonly #part: ReturnType<ReadinessBoard['note']>;
  readonly #gauge: Gauge;
  #stopped: SealStopped | null = null;

  constructor(deps: SealerDeps) {
    this.#deps = deps;
    this.#part = deps.readiness.note('audit-seal');
    this.#gauge = new Gauge({
      name: 'deviceportal_audit_seal_stopped',
      help: '1 while the audit trail is not sealed because its chain cannot be verified.',
      registers: [deps.metrics.registry],
    });
  }

  goesOn(): void {
    if (this.#stopped === null) return;
    this.#stopped = null;
    this.#part.up();
    this.#gauge.set(0);
    this.#deps.logger.info('audit trail sealing resumed');
  }

  async failed(error: unknown): Promise<void> {
    const { logger } = this.#deps;
    if (!(error instanceof SealStopped)) {
      logger.warn({ err: error }, 'audit trail sealing failed');
      return;
    }
    const isKnown = this.#stopped?.reason === error.reason && this.#stopped.block === error.block;
    this.#stopped = error;
    if (isKnown) return;
    this.#part.down(error.message);
    this.#gauge.set(1);
    logger.error({ reason: error.reason, block: error.block }, error.message);
    await reportSealStop(this.#deps, error).catch((failure: unknown) =>
      logger.warn({ err: failure }, 'recording the stop of audit trail sealing failed'),
    );
  }
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
