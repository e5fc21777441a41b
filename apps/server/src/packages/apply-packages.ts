import { sql } from 'drizzle-orm';
import { PACKAGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import type { Transaction } from '../platform/database/database.ts';
import { packageVersionRank } from './package-version-rank.ts';

/** A piece of a device's list: all that is installed under the names above `after` up to `upTo`. */
export interface PackagesRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly report: string;
  readonly after: string | null;
  readonly upTo: string | null;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
}

export interface PackageDifference {
  readonly deviceId: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Pieces of many devices' lists, in a handful of statements for the first piece of each, for the second, and so on. */
export async function applyPackages(
  tx: Transaction,
  rows: readonly PackagesRow[],
): Promise<PackageDifference[]> {
  const differences: PackageDifference[] = [];
  const byDevice = [...Map.groupBy(rows, ({ deviceId }) => deviceId).values()];
  const turns = Math.max(0, ...byDevice.map((pieces) => pieces.length));
  for (let turn = 0; turn < turns; turn += 1) {
    const pieces = byDevice.flatMap((all) => all[turn] ?? []);
    await nameVersions(tx, pieces);
    await recordReports(tx, pieces);
    differences.push(...(await replacePieces(tx, pieces)));
  }
  return differences;
}

/** In the order of the index, so that two who name the same versions wait for each other and not in a circle. */
async function nameVersions(tx: Transaction, pieces: readonly PackagesRow[]): Promise<void> {
  const named = new Map(
    pieces.flatMap(({ packages }) =>
      packages.map(({ name, version }) => [`${name}:${version}`, { name, version }] as const),
    ),
  );
  const rows = [...named.values()].map((each) => ({
    ...each,
    rank: packageVersionRank(each.version),
  }));
  if (rows.length === 0) return;
  // Looked for first: a number is used up by each row that turns out to be there.
  await tx.execute(sql`
    insert into package_version (name, version, rank)
    select n.name, n.version, n.rank
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(name text, version text, rank text)
    where not exists (select from package_version p where p.name = n.name and p.version = n.version)
    order by n.name, n.version
    on conflict do nothing`);
}

async function recordReports(tx: Transaction, pieces: readonly PackagesRow[]): Promise<void> {
  const reports = pieces.map(({ deviceId, report, at }) => ({ device_id: deviceId, report, at }));
  await tx.execute(sql`
    insert into device_package_report as r (device_id, first_report, at)
    select device_id, report, at
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as i(device_id uuid, report uuid, at timestamptz)
    order by device_id
    on conflict (device_id) do update set at = greatest(r.at, excluded.at)`);
}

async function replacePieces(
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
  const found = await tx.execute<DifferenceRow>(sql`
    with range as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb)
        as r(device_id uuid, report uuid, at timestamptz, after text, up_to text)),
    item as materialized (
      select distinct i.device_id, i.at, v.id, v.name, v.version
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        as i(device_id uuid, at timestamptz, name text, version text)
      join package_version v on v.name = i.name and v.version = i.version),
    old as materialized (
      select p.device_id, v.id, v.name, v.version
      from range r join device_package p on p.device_id = r.device_id join package_version v on v.id = p.version_id
      where (r.after is null or v.name collate "C" > r.after) and (r.up_to is null or v.name collate "C" <= r.up_to)),
    gone as (select * from old where not exists (select from item i where i.device_id = old.device_id and i.id = old.id)),
    full_up as materialized (
      select device_id from range r
      where (select count(*) from device_package p where p.device_id = r.device_id) >= ${PACKAGES_PER_DEVICE}),
    added as (
      select * from item where not exists (select from old o where o.device_id = item.device_id and o.id = item.id)
        and device_id not in (select device_id from full_up)),
    deleted as (
      delete from device_package p using gone g where p.device_id = g.device_id and p.version_id = g.id),
    inserted as (
      insert into device_package (device_id, version_id, since) select device_id, id, at from added
      order by device_id, id on conflict do nothing),
    difference as (
      select r.device_id, r.at, coalesce(g.name, a.name) as name, g.version as before, a.version as after
      from gone g full join added a on a.device_id = g.device_id and a.name = g.name
      join range r on r.device_id = coalesce(g.device_id, a.device_id)
      join device_package_report seen on seen.device_id = r.device_id and seen.first_report <> r.report),
    kept as (
      insert into device_package_history (device_id, name, before, after, at)
      select device_id, name, before, after, at from difference order by device_id, name)
    select device_id, name, before, after from difference order by device_id, name`);
  return found.rows.map(({ device_id: deviceId, ...change }) => ({ deviceId, ...change }));
}

interface DifferenceRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}
