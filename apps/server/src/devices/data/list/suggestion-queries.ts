import { and, asc, eq, exists, isNotNull, sql, type SQL } from 'drizzle-orm';
import { connectivity } from '@deviceportal/contract/states';
import type { Executor } from '../../../platform/database/database.ts';
import { distinctValues } from '../../../platform/database/distinct-values.ts';
import { likeLiteral } from '../../../platform/database/like-literal.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { installedVersions } from '../../../versions/data/installed-versions.ts';
import { installedVersionIds, packageVersions } from '../../../packages/data/installed-packages.ts';
import { device, deviceLabel, deviceStatus } from '../devices-tables.ts';
import { every } from '../search/predicate-forms.ts';
import { scopePredicate } from '../search/scope-predicate.ts';
import { d } from '../search/search-rows.ts';

const SUGGESTIONS = 50;
/** For columns with few values; above the number in any fleet. */
const MAX_VALUES = 1_000;

const value = sql<string>`v.value`;

/** The matching values of a query with the column `value`. */
async function readValues(
  on: Executor,
  query: SQL,
  condition: SQL | undefined,
  limit = SUGGESTIONS,
): Promise<string[]> {
  const rows = await on
    .select({ value })
    .from(sql`(${query}) v`)
    .where(condition)
    .limit(limit);
  return rows.map((row) => row.value);
}

const contains = (text: string): SQL => sql`strpos(lower(${value}), ${text.toLowerCase()}) > 0`;

const scopeOf = (viewer: Viewer): SQL | null =>
  scopePredicate(viewer.grants, ['devices:read'])?.where ?? null;

export function selectFacetValues(
  on: Executor,
  viewer: Viewer,
  key: 'country' | 'model',
): Promise<string[]> {
  const scope = scopeOf(viewer);
  const inScope =
    scope === null
      ? undefined
      : exists(
          on
            .select({ id: d.id })
            .from(d)
            .where(and(eq(d[key], value), scope)),
        );
  return readValues(on, distinctValues(device, device[key]), inScope, MAX_VALUES);
}

/** Stops at the first label in scope. A join would read every label of a key. */
function isLabelInScope(viewer: Viewer, label: SQL): SQL | undefined {
  const scope = scopeOf(viewer);
  return scope === null
    ? undefined
    : sql`exists (
        select from (select ${deviceLabel.deviceId} from ${deviceLabel} where ${label} offset 0) l
        cross join lateral (
          select from ${device} ${d} where ${d.id} = l.${sql.identifier(deviceLabel.deviceId.name)}
            and (${scope}) offset 0) d)`;
}

export function selectLabelKeys(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const inScope = isLabelInScope(viewer, eq(deviceLabel.key, value));
  return readValues(on, distinctValues(deviceLabel, deviceLabel.key), and(contains(text), inScope));
}

export function selectLabelValues(
  on: Executor,
  viewer: Viewer,
  { key, beginning }: { readonly key: string; readonly beginning: string },
): Promise<string[]> {
  const ofKey = eq(deviceLabel.key, key);
  const inScope = isLabelInScope(viewer, sql`${ofKey} and ${eq(deviceLabel.value, value)}`);
  return readValues(
    on,
    distinctValues(deviceLabel, deviceLabel.value, ofKey),
    and(sql`${value} ilike ${`${likeLiteral(beginning)}%`}`, inScope),
  );
}

function isInstalledInScope(
  on: Executor,
  viewer: Viewer,
  installed: SQL | undefined,
): SQL | undefined {
  const scope = scopeOf(viewer);
  return scope === null
    ? undefined
    : exists(
        on
          .select({ id: d.id })
          .from(installedVersions)
          .innerJoin(d, eq(d.id, installedVersions.deviceId))
          .where(and(installed, scope)),
      );
}

export function selectComponents(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const { component } = installedVersions;
  const inScope = isInstalledInScope(on, viewer, eq(component, value));
  return readValues(on, distinctValues(installedVersions, component), and(contains(text), inScope));
}

export function selectVersions(
  on: Executor,
  viewer: Viewer,
  wanted: { readonly component: string; readonly beginning: string },
): Promise<string[]> {
  const { component, version } = installedVersions;
  const ofComponent = eq(component, wanted.component);
  return readValues(
    on,
    distinctValues(installedVersions, version, ofComponent),
    and(
      sql`starts_with(${value}, ${wanted.beginning})`,
      isInstalledInScope(on, viewer, and(ofComponent, eq(version, value))),
    ),
  );
}

/**
 * @param versionBeginning null for package names; otherwise a prefix of `name:version` for the package with the name in
 * `text`
 */
export async function selectPackages(
  on: Executor,
  viewer: Viewer,
  { text, versionBeginning }: { readonly text: string; readonly versionBeginning: string | null },
): Promise<string[]> {
  const scopes = (['devices:read', 'versions:read'] as const).flatMap(
    (permission) => scopePredicate(viewer.grants, [permission]) ?? [],
  );
  const { name, version, versionId } = packageVersions;
  const installed = on
    .select({ id: d.id })
    .from(installedVersionIds)
    .innerJoin(d, eq(d.id, installedVersionIds.deviceId))
    .where(and(eq(installedVersionIds.versionId, versionId), every(scopes)));
  const found = sql<string>`${versionBeginning === null ? name : sql`${name} || ':' || ${version}`}`;
  const rows = await on
    .selectDistinct({ value: found.as('value') })
    .from(packageVersions)
    .where(
      and(
        versionBeginning === null
          ? sql`${name} like ${`%${likeLiteral(text.toLowerCase())}%`}`
          : sql`${eq(name, text)} and starts_with(${version}, ${versionBeginning})`,
        exists(installed),
      ),
    )
    .orderBy(sql`value`)
    .limit(SUGGESTIONS);
  return rows.map((row) => row.value);
}

/**
 * There are few values, and recently seen devices have all of them, so this many devices of each connectivity are read.
 */
const NEWEST_OF_EACH = 4_000;

export async function selectStatusValues(
  on: Executor,
  viewer: Viewer,
  key: 'platform' | 'agentVersion',
): Promise<string[]> {
  const scope = scopeOf(viewer);
  const { deviceId, seenRank } = deviceStatus;
  const newest = on
    .select({ deviceId, value: sql<string>`${deviceStatus[key]}`.as('value') })
    .from(deviceStatus)
    .where(eq(deviceStatus.connectivity, sql`c.state`))
    .orderBy(sql`${seenRank} desc`, sql`${deviceId} desc`)
    .limit(NEWEST_OF_EACH)
    .as('newest');
  const found = on
    .selectDistinct({ value: newest.value })
    .from(sql`unnest(${sql.param(Object.keys(connectivity))}::text[]) c(state)`)
    .crossJoinLateral(newest)
    .$dynamic();
  const within =
    scope === null ? found : found.innerJoin(d, sql`${eq(d.id, newest.deviceId)} and (${scope})`);
  const rows = await within
    .where(isNotNull(newest.value))
    .orderBy(asc(newest.value))
    .limit(MAX_VALUES);
  return rows.map((row) => row.value);
}
