import { sql } from 'drizzle-orm';
import { OVERFLOW_WINDOW_MS } from '@deviceportal/contract/device-limits';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { OverflowKind } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { RefusalRecorder } from './record-refusals.ts';

type OverflowDependencies = Pick<GatewayDependencies, 'database' | 'changes' | 'logger' | 'clock'>;

const STORE_EVERY_MS = 5_000;
const MAX_REMEMBERED = 10_000;
const TOLD_AT_ONCE = 1_000;
/** Behind an external broker a topic's device id may be anything. */
const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Where what devices may not do is recorded, and what they do too often. */
export interface Recorders {
  readonly refusals: Pick<RefusalRecorder, 'record'>;
  readonly overflow: Pick<OverflowRecorder, 'note'>;
}

type Counts = Partial<Record<OverflowKind, number>>;

/**
 * Counts what devices send beyond their limits, and writes one `device.over-limit` for each device and window. Counts
 * are kept in the database: servers of one group and the next start go on with them.
 */
export class OverflowRecorder implements AsyncDisposable {
  readonly #deps: OverflowDependencies;
  readonly #windowMs: number;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Counts>();
  #work: Promise<void> = Promise.resolve();

  constructor(
    deps: OverflowDependencies,
    options: { readonly windowMs?: number; readonly storeEveryMs?: number } = {},
  ) {
    this.#deps = deps;
    this.#windowMs = options.windowMs ?? OVERFLOW_WINDOW_MS;
    this.#timer = setInterval(() => this.#round(), options.storeEveryMs ?? STORE_EVERY_MS);
    this.#timer.unref();
  }

  note(deviceId: string, kind: OverflowKind, count = 1): void {
    const own = this.#counts.get(deviceId) ?? {};
    if (this.#counts.size >= MAX_REMEMBERED && !this.#counts.has(deviceId)) return;
    own[kind] = (own[kind] ?? 0) + count;
    this.#counts.set(deviceId, own);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#round();
    await this.#work;
  }

  #round(): void {
    this.#work = this.#work.then(async () => {
      const { database, changes, logger, clock } = this.#deps;
      const counted = this.#counts;
      this.#counts = new Map();
      try {
        const told = await inTransaction(database, async (tx) => {
          await storeCounts(tx, counted, clock());
          return tellEnded(tx, clock(), this.#windowMs);
        });
        if (told.length > 0) changes.publish([{ kind: 'audit-trail', deviceIds: told }]);
      } catch (error) {
        logger.warn({ err: error }, 'what devices sent beyond their limits was not recorded');
        for (const [deviceId, counts] of counted) this.#noteAgain(deviceId, counts);
      }
    });
  }

  #noteAgain(deviceId: string, counts: Counts): void {
    const own = this.#counts.get(deviceId);
    this.#counts.set(deviceId, own === undefined ? counts : sumOf(own, counts));
  }
}

function sumOf(one: Counts, other: Counts): Counts {
  const sum = { ...one };
  for (const [kind, count] of Object.entries(other) as [OverflowKind, number][])
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

async function storeCounts(
  tx: Transaction,
  counted: ReadonlyMap<string, Counts>,
  now: Date,
): Promise<void> {
  if (counted.size === 0) return;
  const rows = JSON.stringify([...counted].map(([id, counts]) => ({ id, counts })));
  await tx.execute(sql`
    insert into device_overflow as known (device_id, since, counts)
    select device.id, ${now.toISOString()}::timestamptz, fresh.counts
    from jsonb_to_recordset(${rows}::jsonb) as fresh(id text, counts jsonb)
    join device on device.id = case when fresh.id ~ ${UUID_PATTERN} then fresh.id::uuid end
    order by device.id
    on conflict (device_id) do update set counts = (
      select jsonb_object_agg(key, total) from (
        select key, sum(value::bigint) as total
        from (select * from jsonb_each_text(known.counts) union all select * from jsonb_each_text(excluded.counts)) as each
        group by key) as summed)`);
}

/** Windows that have ended, each by whichever server comes first. */
async function tellEnded(tx: Transaction, now: Date, windowMs: number): Promise<string[]> {
  const ended = await tx.execute<{
    device_id: string;
    name: string;
    since: string | Date;
    counts: Counts;
  }>(sql`
    with ended as (
      select device_id from device_overflow
      where since <= ${new Date(now.getTime() - windowMs).toISOString()}::timestamptz
      order by device_id limit ${TOLD_AT_ONCE} for update skip locked)
    delete from device_overflow as told using ended, device
    where told.device_id = ended.device_id and device.id = ended.device_id
    returning told.device_id, device.name, told.since, told.counts`);
  await recordAudit(
    tx,
    ended.rows.map(({ device_id: deviceId, name, since, counts }) => ({
      type: 'device.over-limit',
      actor: { kind: 'device', id: deviceId, name, address: null },
      deviceId,
      data: { since: new Date(since).toISOString(), until: now.toISOString(), counts },
    })),
  );
  return ended.rows.map(({ device_id }) => device_id);
}
