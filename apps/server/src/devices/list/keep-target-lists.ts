import { sql } from 'drizzle-orm';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import { targetListLimit, type TargetList } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { limitReached } from '../../platform/growth-limits/limit-reached.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { requiredIsoMoment } from './moment-text.ts';
import { parseSerialNumbers } from './parse-serial-numbers.ts';
import { idArrayParam, textArrayParam } from '../search/device-predicate.ts';
import { scopePredicate } from '../search/scope-predicate.ts';

const LISTED_MISSING = 100;

type Dependencies = { readonly database: Database; readonly clock: () => Date };

/** Stores a pasted list, so that an URL can hold its id. `SN` glued to a number is dropped where only that finds a device. */
export async function createTargetList(
  deps: Dependencies,
  viewer: Viewer,
  input: { readonly name: string; readonly text: string },
): Promise<TargetList> {
  const serialNumbers = parseSerialNumbers(input.text);
  if (serialNumbers.length === 0 || serialNumbers.length > targetListLimit) {
    throw serialNumbers.length === 0
      ? refuse('list-without-serial-numbers', { field: 'text' })
      : refuse('list-too-long', {
          field: 'text',
          facts: { count: serialNumbers.length, most: targetListLimit },
        });
  }
  const id = newId();
  await inTransaction(deps.database, async (tx) => {
    await makeRoom(tx, viewer, serialNumbers.length);
    await storeList(tx, { id, name: input.name, viewer, serialNumbers, now: deps.clock() });
  });
  return getTargetList(deps, viewer, id);
}

/** A list weighs at least this many entries, so that there are no more than 1,000 of them. */
const LEAST_WEIGHT = 1_000;
const weight = sql`greatest(l.count, ${LEAST_WEIGHT})`;
/** A filter names its list by its id. */
const isUnused = sql`
  not exists (select from saved_view v where v.search->>'targets' = l.id::text)
  and not exists (select from run_schedule s where s.target->'filter'->>'targetListId' = l.id::text)
  and not exists (select from air_blast a
    where a.ended_at is null and a.target->'filter'->>'targetListId' = l.id::text)`;

/**
 * Deletes the viewer's oldest lists that nothing uses until the new one has room: lists are pasted and forgotten.
 * @throws PortalError 2004 where views, schedules and open rollouts use too many of them
 */
async function makeRoom(tx: Transaction, { userId }: Viewer, entries: number): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`targetListEntries ${userId}`}, 0))`,
  );
  const kept = await tx.execute<{ weight: number }>(
    sql`select coalesce(sum(${weight}), 0)::int as weight from target_list l where created_by = ${userId}`,
  );
  const added = Math.max(entries, LEAST_WEIGHT);
  const tooMany = (kept.rows[0]?.weight ?? 0) + added - growthLimits.targetListEntries.most;
  if (tooMany <= 0) return;
  const removed = await tx.execute<{ id: string; weight: number }>(sql`
    delete from target_list l using (
      select l.id, sum(${weight}) over (order by l.created_at, l.id) - ${weight} as before
      from target_list l where l.created_by = ${userId} and ${isUnused}) old
    where l.id = old.id and old.before < ${tooMany} returning l.id, ${weight} as weight`);
  const room = removed.rows.reduce((sum, row) => sum + row.weight, 0);
  if (room < tooMany) throw limitReached('targetListEntries');
  const ids = idArrayParam(removed.rows.map(({ id }) => id));
  await tx.execute(sql`delete from target_list_entry where list_id = any(${ids})`);
}

async function storeList(
  tx: Transaction,
  list: {
    readonly id: string;
    readonly name: string;
    readonly viewer: Viewer;
    readonly serialNumbers: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  // Only devices that exist for the viewer decide what a piece means: what is missing shows how it was stored.
  const { where: inScope = sql`true` } = scopePredicate(list.viewer.grants, ['devices:read']) ?? {};
  const stored = await tx.execute(sql`
    insert into target_list_entry (list_id, serial_number)
    select distinct ${list.id}::uuid, coalesce(whole.serial_number, stripped.serial_number, i.piece)
    from unnest(${textArrayParam(list.serialNumbers)}) as i(piece)
    left join lateral (select d.id, d.serial_number from device d
      where d.serial_number = i.piece and ${inScope}) whole on true
    left join lateral (select d.serial_number from device d
      where whole.id is null and i.piece like 'SN%' and d.serial_number = substr(i.piece, 3)
        and ${inScope}) stripped on true`);
  await tx.execute(sql`
    insert into target_list (id, name, created_by, created_at, count)
    values (${list.id}, ${list.name}, ${list.viewer.userId}, ${list.now.toISOString()}::timestamptz, ${stored.rowCount})`);
}

/**
 * A stored list, with what the viewer's own scope finds of it. What is missing is told to who pasted it, and to who sees
 * every device: for others it may be a device that does not exist for them.
 */
export async function getTargetList(
  deps: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<TargetList> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const found = await deps.database.orm.execute<{
    id: string;
    name: string;
    count: number;
    created_at: string;
    created_by: string;
    found: number;
    missing: string[];
  }>(sql`
    with missing as materialized (
      select e.serial_number from target_list_entry e
      left join device d on d.serial_number = e.serial_number and ${scope?.where ?? sql`true`}
      where e.list_id = ${id} and d.id is null)
    select l.id, l.name, l.count, l.created_at, l.created_by, l.count - (select count(*)::int from missing) as found,
      coalesce((select jsonb_agg(serial_number) from (
        select serial_number from missing order by serial_number limit ${LISTED_MISSING}) m), '[]') as missing
    from target_list l where l.id = ${id}`);
  const row = found.rows[0];
  if (row === undefined) throw new PortalError('notFound');
  const seesMissing = scope === null || row.created_by === viewer.userId;
  const count = seesMissing ? row.count : row.found;
  return {
    id: row.id,
    name: row.name,
    count,
    found: row.found,
    missing: seesMissing ? row.missing : [],
    missingCount: count - row.found,
    createdAt: requiredIsoMoment(row.created_at),
  };
}
