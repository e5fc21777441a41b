import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { AnchorName } from './anchor-target.ts';

export interface AnchorTurn {
  readonly delivered: number;
  readonly attempts: number;
}

/** Begins with the newest block: it holds the hashes of those before it. */
export async function ensureAnchorProgress(
  executor: Executor,
  targets: readonly AnchorName[],
): Promise<void> {
  await executor.execute(sql`
    insert into audit_anchor_progress (target, delivered, next_at)
    select target, (select coalesce(max(number) - 1, 0) from audit_block), portal_now()
    from unnest(${sql.param([...targets])}::text[]) as target on conflict (target) do nothing`);
}

/**
 * Where deliveries to a place go on; undefined while another server is at it, and before its time. Beyond the end of the
 * chain, because it was cut off or somebody moved the place on, they begin with the newest block again.
 */
export async function takeAnchorTurn(
  tx: Transaction,
  target: AnchorName,
  now: Date,
): Promise<AnchorTurn | undefined> {
  const { rows } = await tx.execute(sql`
    select least(p.delivered, case when p.delivered > b.newest then b.newest - 1 end)::float8 as delivered, p.attempts
    from audit_anchor_progress p, (select coalesce(max(number), 1) as newest from audit_block) b
    where p.target = ${target} and p.next_at <= ${now.toISOString()}::timestamptz for update of p skip locked`);
  return rows[0] as AnchorTurn | undefined;
}

export async function saveDelivery(
  tx: Transaction,
  target: AnchorName,
  { delivered, nextAt }: { readonly delivered: number; readonly nextAt: Date },
): Promise<void> {
  await tx.execute(sql`
    update audit_anchor_progress set delivered = ${delivered}, attempts = 0, error = null,
      next_at = ${nextAt.toISOString()}::timestamptz
    where target = ${target}`);
}

export async function saveAnchorFailure(
  tx: Transaction,
  target: AnchorName,
  { error, nextAt }: { readonly error: string; readonly nextAt: Date },
): Promise<void> {
  await tx.execute(sql`
    update audit_anchor_progress set attempts = attempts + 1, error = ${error},
      next_at = ${nextAt.toISOString()}::timestamptz
    where target = ${target}`);
}

export interface AnchorState {
  readonly target: AnchorName;
  readonly delivered: number;
  /** When the oldest block that was not delivered was sealed; null where all were. */
  readonly waitingSince: string | null;
  readonly error: string | null;
}

export async function readAnchorStates(
  executor: Executor,
  targets: readonly AnchorName[],
): Promise<AnchorState[]> {
  const { rows } = await executor.execute(sql`
    select p.target, p.delivered::float8 as delivered, p.error,
      (select b.sealed_at from audit_block b where b.number = p.delivered + 1) as "waitingSince"
    from audit_anchor_progress p where p.target = any(${sql.param([...targets])}::text[]) order by p.target`);
  return (rows as unknown as AnchorState[]).map((row) => ({
    ...row,
    waitingSince: isoOrNull(row.waitingSince),
  }));
}

export async function insertTimeStamp(
  tx: Transaction,
  block: number,
  token: Uint8Array,
): Promise<void> {
  await tx.execute(sql`
    insert into audit_time_stamp (block, token) values (${block}, ${Buffer.from(token)}) on conflict (block) do nothing`);
}

export interface StoredTimeStamp {
  readonly block: number;
  readonly token: Buffer;
}

export async function readTimeStamps(
  executor: Executor,
  after: number,
  limit: number,
): Promise<StoredTimeStamp[]> {
  const { rows } = await executor.execute(sql`
    select block::float8 as block, token from audit_time_stamp where block > ${after} order by block limit ${limit}`);
  return rows as unknown as StoredTimeStamp[];
}
