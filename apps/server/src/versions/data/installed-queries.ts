import { and, asc, desc, eq, sql, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder, unionAll } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { devicesWithin } from '../../devices/data/devices-within.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Executor } from '../../platform/database/database.ts';
import { cellsWithin } from './cells-within.ts';
import { deviceVersion, softwareVersion, versionApproval } from './versions-tables.ts';

const LISTED_COMPONENTS = 1_000;
const LISTED_INSTALLED = 5_000;
const LISTED_SOFTWARE = 1_000;

const running = sql<number>`count(*)::int`.as('running');

/**
 * Each version of a component, or of all, with the number of devices within scopes that run it and where it is
 * approved.
 */
export async function readInstalled(on: Executor, scopes: readonly Scope[], only: string | null) {
  const { component, version, since, reportedAt } = deviceVersion;
  const all = on
    .select({
      component,
      version,
      devices: running,
      firstSeenAt: sql<Date>`min(${since})`.mapWith(since).as('first_seen_at'),
      lastReportedAt: sql<Date>`max(${reportedAt})`.mapWith(reportedAt).as('last_reported_at'),
    })
    .from(deviceVersion);
  const wanted = only === null ? undefined : eq(component, only);
  const within = devicesWithin(scopes);
  const installed = scopes.some(isEverywhere)
    ? all.where(wanted).groupBy(component, version).as('installed')
    : all
        .innerJoin(within, eq(within.deviceId, deviceVersion.deviceId))
        .where(wanted)
        .groupBy(component, version)
        .as('installed');
  return on
    .select({
      component: installed.component,
      version: installed.version,
      devices: installed.devices,
      share: sql<number>`${installed.devices}::float8 / sum(${installed.devices}) over (partition by ${installed.component})`,
      firstSeenAt: installed.firstSeenAt,
      lastReportedAt: installed.lastReportedAt,
      state: softwareVersion.state,
      approvedFor: sql<string[]>`coalesce(${targetsOf(installed)}, '[]')`,
    })
    .from(installed)
    .leftJoin(
      softwareVersion,
      and(
        eq(softwareVersion.component, installed.component),
        eq(softwareVersion.version, installed.version),
      ),
    )
    .orderBy(asc(installed.component), desc(installed.devices), asc(installed.version))
    .limit(LISTED_INSTALLED);
}

/** Models and countries for which a version is approved. */
function targetsOf(of: { readonly component: SQLWrapper; readonly version: SQLWrapper }) {
  const { model, country, component, version } = versionApproval;
  const target = sql`case when ${country} = '*' then ${model} else ${model} || ' (' || ${country} || ')' end`;
  return sql`(${new QueryBuilder()
    .select({ targets: sql`jsonb_agg(${target} order by ${model}, ${country})` })
    .from(versionApproval)
    .where(and(eq(component, of.component), eq(version, of.version)))})`;
}

/** Components that are registered or reported by devices within scopes, most widespread first. */
export async function readComponents(on: Executor, scopes: readonly Scope[]) {
  const { component, version } = deviceVersion;
  const all = on.select({ component, version, devices: running }).from(deviceVersion);
  const within = devicesWithin(scopes);
  const installed = scopes.some(isEverywhere)
    ? all.groupBy(component, version)
    : all
        .innerJoin(within, eq(within.deviceId, deviceVersion.deviceId))
        .groupBy(component, version);
  const onRecord = on
    .select({
      component: softwareVersion.component,
      version: softwareVersion.version,
      devices: sql<number>`0`.as('running'),
    })
    .from(softwareVersion);
  const every = unionAll(installed, onRecord).as('every_version');
  const versions = on
    .select({
      component: every.component,
      devices: sql<number>`sum(${every.devices})`.as('on_devices'),
    })
    .from(every)
    .groupBy(every.component, every.version)
    .as('version_sum');
  return on
    .select({
      component: versions.component,
      devices: sql<number>`sum(${versions.devices})::int`,
      versions: sql<number>`count(*)::int`,
    })
    .from(versions)
    .groupBy(versions.component)
    .orderBy(sql`2 desc`, sql`1`)
    .limit(LISTED_COMPONENTS);
}

/** The registered versions of a component, newest first, with the number of devices within scopes that run them. */
export async function readSoftware(on: Executor, scopes: readonly Scope[], component: string) {
  const cell = cellsWithin(scopes, component);
  const counted = on
    .select({
      version: sql<string>`${cell.version}`.as('counted_version'),
      devices: sql<number>`sum(${cell.devices})::int`.as('counted_devices'),
    })
    .from(cell)
    .groupBy(sql`1`)
    .as('counted');
  return on
    .select({
      version: softwareVersion.version,
      state: softwareVersion.state,
      channel: softwareVersion.channel,
      models: softwareVersion.models,
      notes: softwareVersion.notes,
      releasedAt: softwareVersion.releasedAt,
      createdAt: softwareVersion.createdAt,
      createdBy: softwareVersion.createdBy,
      devices: sql<number>`coalesce(${counted.devices}, 0)`,
      artifactName: softwareVersion.artifactName,
      artifactBytes: softwareVersion.artifactBytes,
      artifactSha256: softwareVersion.artifactSha256,
    })
    .from(softwareVersion)
    .leftJoin(counted, eq(counted.version, softwareVersion.version))
    .where(eq(softwareVersion.component, component))
    .orderBy(
      sql`version_rank(${softwareVersion.version}) collate "C" desc`,
      desc(softwareVersion.version),
    )
    .limit(LISTED_SOFTWARE);
}

export async function readApprovals(on: Executor, component: string) {
  return on
    .select()
    .from(versionApproval)
    .where(eq(versionApproval.component, component))
    .orderBy(asc(versionApproval.model), asc(versionApproval.country))
    .limit(LISTED_SOFTWARE);
}
