import { OVERFLOW_WINDOW_MS } from '@deviceportal/contract/device-limits';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { addOverflow, takeOverflow } from '../devices/data/connections/overflow-queries.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { OverflowKind } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { RefusalRecorder } from './record-refusals.ts';

type OverflowDependencies = Pick<
  GatewayDependencies,
  'database' | 'changes' | 'logger' | 'clock' | 'meter'
>;

const STORE_EVERY_MS = 5_000;
const MAX_REMEMBERED = 10_000;
const MAX_EVENTS_PER_ROUND = 1_000;
/** With an external broker, the device id of a topic can be any text. */
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Recorders of forbidden and of excessive messages. */
export interface Recorders {
  readonly refusals: Pick<RefusalRecorder, 'record'>;
  readonly overflow: Pick<OverflowRecorder, 'note'>;
}

type Counts = Partial<Record<OverflowKind, number>>;

/**
 * Counts what devices send beyond their limits, and records one `device.over-limit` for each device and window.
 * Counts are kept in the database, so that they are shared by the servers of a group and survive a restart.
 */
export class OverflowRecorder implements AsyncDisposable {
  readonly #deps: OverflowDependencies;
  readonly #windowMs: number;
  readonly #timer: NodeJS.Timeout;
  #counted = new Map<string, Counted>();
  #work: Promise<void> = Promise.resolve();

  constructor(deps: OverflowDependencies, options: { readonly windowMs?: number } = {}) {
    this.#deps = deps;
    this.#windowMs = options.windowMs ?? OVERFLOW_WINDOW_MS;
    const everyMs = Math.min(STORE_EVERY_MS, this.#windowMs / 4);
    this.#timer = setInterval(() => this.#round(), everyMs);
    this.#timer.unref();
  }

  note(deviceId: string, kind: OverflowKind, count = 1): void {
    this.#deps.meter?.overLimit(kind, count);
    const known = this.#counted.get(deviceId);
    if (known) known.counts[kind] = (known.counts[kind] ?? 0) + count;
    else if (this.#counted.size < MAX_REMEMBERED)
      this.#counted.set(deviceId, { since: this.#deps.clock(), counts: { [kind]: count } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#round();
    await this.#work;
  }

  #round(): void {
    this.#work = this.#work.then(async () => {
      const { database, changes, logger, clock } = this.#deps;
      const counted = this.#counted;
      this.#counted = new Map();
      try {
        const told = await inTransaction(database, async (tx) => {
          await storeCounts(tx, counted);
          return recordEnded(tx, clock(), this.#windowMs);
        });
        if (told.length > 0) changes.publish([{ kind: 'audit-trail', deviceIds: told }]);
      } catch (error) {
        logger.warn({ err: error }, 'device overflow recording failed');
        for (const [deviceId, each] of counted) this.#countAgain(deviceId, each);
      }
    });
  }

  #countAgain(deviceId: string, { since, counts }: Counted): void {
    const fresh = this.#counted.get(deviceId)?.counts ?? {};
    this.#counted.set(deviceId, { since, counts: sumOf(counts, fresh) });
  }
}

interface Counted {
  readonly since: Date;
  readonly counts: Counts;
}

function sumOf(one: Counts, other: Counts): Counts {
  const sum = { ...one };
  for (const [kind, count] of Object.entries(other) as [OverflowKind, number][])
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

async function storeCounts(tx: Transaction, counted: ReadonlyMap<string, Counted>): Promise<void> {
  if (counted.size === 0) return;
  const rows = [...counted]
    .filter(([deviceId]) => UUID_PATTERN.test(deviceId))
    .map(([deviceId, { since, counts }]) => ({ deviceId, since, counts }));
  if (rows.length > 0) await addOverflow(tx, rows);
}

/** Records windows that have ended; each is recorded by one server. */
async function recordEnded(tx: Transaction, now: Date, windowMs: number): Promise<string[]> {
  const ended = await takeOverflow(tx, new Date(now.getTime() - windowMs), MAX_EVENTS_PER_ROUND);
  await recordAudit(
    tx,
    ended.map(({ deviceId, name, since, counts }) => ({
      type: 'device.over-limit',
      actor: { kind: 'device', id: deviceId, name, address: null },
      deviceId,
      data: { since: since.toISOString(), until: now.toISOString(), counts },
    })),
  );
  return ended.map(({ deviceId }) => deviceId);
}
