import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { PACKAGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import type { PackageDifference, PackagesRow } from '../packages-row.ts';
import {
  devicePackage,
  devicePackageHistory,
  devicePackageReport,
  packageVersion,
} from './packages-tables.ts';

type NewVersion = Omit<typeof packageVersion.$inferSelect, 'id'>;

/** In the order of the index, so that transactions that insert the same versions do not deadlock. */
export async function nameVersions(tx: Transaction, rows: readonly NewVersion[]): Promise<void> {
  if (rows.length === 0) return;
  const { name, version, rank } = packageVersion;
  // Existing versions are excluded first: every conflicting row would use up a sequence number.
  await tx.execute(sql`
    insert into ${packageVersion} (${columnNames(name, version, rank)})
    select n.name, n.version, n.rank
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(name text, version text, rank text)
    where not exists (select from ${packageVersion} where ${name} = n.name and ${version} = n.version)
    order by n.name, n.version
    on conflict do nothing`);
}

export async function recordReports(
  tx: Transaction,
  pieces: readonly PackagesRow[],
): Promise<void> {
  const reports = pieces.map(({ deviceId, report, at }) => ({ device_id: deviceId, report, at }));
  const { deviceId, firstReport, at } = devicePackageReport;
  await tx.execute(sql`
    insert into ${devicePackageReport} (${columnNames(deviceId, firstReport, at)})
    select device_id, report, at
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as i(device_id uuid, report uuid, at timestamptz)
    order by device_id
    on conflict (${columnNames(deviceId)}) do update
    set ${columnNames(at)} = greatest(${at}, excluded.${columnNames(at)})`);
}

/** Rows that are stored and returned. */
const difference = alias(devicePackageHistory, 'difference');
const differenceList = selectList({
  deviceId: difference.deviceId,
  name: difference.name,
  before: difference.before,
  after: difference.after,
});

/** Replaces the stored part of each list by the reported one and returns the changes. */
export async function replacePieces(
  tx: Transaction,
  pieces: readonly PackagesRow[],
): Promise<PackageDifference[]> {
  const ranges = pieces.map((piece) => ({
    device_id: piece.deviceId,
    report: piece.report,
    at: piece.at,
    after: piece.after,
    up_to: piece.upTo,
  }));
  const items = pieces.flatMap(({ deviceId, at, packages }) =>
    packages.map(({ name, version }) => ({ device_id: deviceId, at, name, version })),
  );
  const { id, name, version } = packageVersion;
  const { deviceId, versionId, since } = devicePackage;
  const kept = devicePackageHistory;
  return selectRows(
    tx,
    differenceList,
    (list) => sql`
    with range as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb)
        as r(device_id uuid, report uuid, at timestamptz, after text, up_to text)),
    item as materialized (
      select distinct i.device_id, i.at, ${id} as id, ${name} as name, ${version} as version
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        as i(device_id uuid, at timestamptz, name text, version text)
      join ${packageVersion} on ${name} = i.name and ${version} = i.version),
    old as materialized (
      select r.device_id, ${id} as id, ${name} as name, ${version} as version
      from range r join ${devicePackage} on ${deviceId} = r.device_id join ${packageVersion} on ${id} = ${versionId}
      where (r.after is null or ${name} collate "C" > r.after) and (r.up_to is null or ${name} collate "C" <= r.up_to)),
    gone as (select * from old where not exists (select from item i where i.device_id = old.device_id and i.id = old.id)),
    full_up as materialized (
      select device_id from range r
      where (select count(*) from ${devicePackage} where ${deviceId} = r.device_id) >= ${PACKAGES_PER_DEVICE}),
    added as (
      select * from item where not exists (select from old o where o.device_id = item.device_id and o.id = item.id)
        and device_id not in (select device_id from full_up)),
    deleted as (
      delete from ${devicePackage} using gone g where ${deviceId} = g.device_id and ${versionId} = g.id),
    inserted as (
      insert into ${devicePackage} (${columnNames(deviceId, versionId, since)})
      select device_id, id, at from added
      order by device_id, id on conflict do nothing),
    ${difference} as (
      select r.device_id, r.at, coalesce(g.name, a.name) as name, g.version as before, a.version as after
      from gone g full join added a on a.device_id = g.device_id and a.name = g.name
      join range r on r.device_id = coalesce(g.device_id, a.device_id)
      join ${devicePackageReport} on ${devicePackageReport.deviceId} = r.device_id
        and ${devicePackageReport.firstReport} <> r.report),
    kept as (
      insert into ${kept} (${columnNames(kept.deviceId, kept.name, kept.before, kept.after, kept.at)})
      select ${difference.deviceId}, ${difference.name}, ${difference.before}, ${difference.after}, ${difference.at}
      from ${difference} order by ${difference.deviceId}, ${difference.name})
    select ${list} from ${difference} order by ${difference.deviceId}, ${difference.name}`,
  );
}
