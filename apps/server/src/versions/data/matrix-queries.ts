import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type { TavState } from '@deviceportal/contract/states';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { cellsWithin } from './cells-within.ts';
import { nearestApproval } from './nearest-approval.ts';
import { versionAdoption, versionCell } from './versions-tables.ts';

/** The number of devices on each version, by the model and country of the approval, with its state. */
export async function readMatrix(on: Executor, scopes: readonly Scope[], component: string) {
  const kept = cellsWithin(scopes, component);
  const cell = on
    .select({
      version: sql<string>`${kept.version}`.as('version'),
      model: sql<string>`${kept.model}`.as('model'),
      country: sql<string>`${kept.country}`.as('country'),
      devices: sql<number>`sum(${kept.devices})::int`.as('devices'),
    })
    .from(kept)
    .groupBy(sql`1, 2, 3`)
    .having(sql`sum(${kept.devices}) > 0`);
  const counted = on.$with('counted').as(cell);
  // By name: expressions of a subquery otherwise have no table prefix.
  const [version, model, country, devices] = [
    sql<string>`counted.version`,
    sql<string>`counted.model`,
    sql<string>`counted.country`,
    sql<number>`counted.devices`,
  ];
  const approval = nearestApproval({ component: sql`${component}`, model, country });
  return on
    .with(counted)
    .select({
      model,
      country: sql<string | null>`nullif(${approval.country}, '*')`,
      approved: approval.version,
      approvedRank: sql<string | null>`version_rank(${approval.version})`,
      mandatoryFrom: approval.mandatoryFrom,
      version,
      rank: sql<string>`version_rank(${version})`,
      state: sql<TavState | null>`min(${versionCell.state})`,
      devices: sql<number>`sum(${devices})::int`,
    })
    .from(counted)
    .leftJoin(
      versionCell,
      and(
        eq(versionCell.component, component),
        eq(versionCell.version, version),
        eq(versionCell.model, model),
        eq(versionCell.country, country),
      ),
    )
    .leftJoinLateral(approval, sql`true`)
    .groupBy(
      model,
      approval.model,
      approval.country,
      approval.version,
      approval.mandatoryFrom,
      version,
    );
}

/**
 * The number of devices on each version at the end of each day, and now. Labels are not stored: a scope limited by
 * labels has data for today only.
 */
export async function readAdoption(
  on: Executor,
  scopes: readonly Scope[],
  {
    component,
    today,
    days,
  }: { readonly component: string; readonly today: string; readonly days: number },
) {
  const unlabelled = scopes.filter(({ labels }) => Object.keys(labels).length === 0);
  const { version, day, devices, country, model } = versionAdoption;
  const cell = cellsWithin(scopes, component);
  const rows = unionAll(
    on
      .select({
        day: sql<string>`${day}`.as('on_day'),
        version: sql<string>`${version}`.as('of_version'),
        devices: sql<number>`${devices}`.as('so_many'),
      })
      .from(versionAdoption)
      .where(
        and(
          eq(versionAdoption.component, component),
          gt(day, sql`${today}::date - ${days}::int`),
          lt(day, sql`${today}::date`),
          deviceScopeCondition(unlabelled, { country, model, labels: sql`'{}'::jsonb` }),
        ),
      ),
    on
      .select({
        day: sql<string>`${today}::date`.as('on_day'),
        version: sql<string>`${cell.version}`.as('of_version'),
        devices: sql<number>`${cell.devices}`.as('so_many'),
      })
      .from(cell),
  ).as('adoption');
  return on
    .select({
      day: sql<string>`${rows.day}::text`,
      version: rows.version,
      rank: sql<string>`version_rank(${rows.version})`,
      devices: sql<number>`sum(${rows.devices})::int`,
    })
    .from(rows)
    .groupBy(rows.day, rows.version)
    .having(sql`sum(${rows.devices}) > 0`);
}
