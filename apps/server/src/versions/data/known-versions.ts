import {
  and,
  desc,
  eq,
  exists,
  isNotNull,
  ne,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceVersion, deviceVersionHistory, softwareVersion } from './versions-tables.ts';

const build = new QueryBuilder();

/** A version; if omitted, every version of the component. */
type Wanted = Pick<SoftwareReference, 'component'> & Partial<Pick<SoftwareReference, 'version'>>;

const isWanted = (
  table: typeof deviceVersion | typeof softwareVersion,
  { component, version }: Wanted,
): SQL | undefined =>
  and(
    eq(table.component, component),
    version === undefined ? undefined : eq(table.version, version),
  );

/** Whether a version is registered or on any device. */
export const isKnownVersion = (wanted: Wanted): SQL | undefined =>
  or(
    exists(
      build
        .select({ version: softwareVersion.version })
        .from(softwareVersion)
        .where(isWanted(softwareVersion, wanted)),
    ),
    exists(
      build
        .select({ version: deviceVersion.version })
        .from(deviceVersion)
        .where(isWanted(deviceVersion, wanted)),
    ),
  );

/** Whether a component is registered or on any device, and thus not a typo. */
export async function isComponentKnown(on: Executor, component: string): Promise<boolean> {
  const [found] = await on
    .select({ known: sql<boolean>`${isKnownVersion({ component })}` })
    .from(sql`(select) as once`);
  return found?.known === true;
}

/** Whether a device reports a version. */
export const isOnVersion = (deviceId: SQLWrapper, wanted: Wanted): SQL =>
  exists(
    build
      .select({ version: deviceVersion.version })
      .from(deviceVersion)
      .where(and(eq(deviceVersion.deviceId, deviceId), isWanted(deviceVersion, wanted))),
  );

/** Those of these devices that already report this version. */
export async function findDevicesOnVersion(
  on: Executor,
  deviceIds: readonly string[],
  wanted: SoftwareReference,
): Promise<Set<string>> {
  const rows = await on
    .select({ id: deviceVersion.deviceId })
    .from(deviceVersion)
    .where(and(isWanted(deviceVersion, wanted), isAnyOf(deviceVersion.deviceId, deviceIds)));
  return new Set(rows.map(({ id }) => id));
}

/** The state and models of a registered version. */
export async function findSoftware(on: Executor, wanted: SoftwareReference) {
  const { state, models } = softwareVersion;
  const [found] = await on
    .select({ state, models })
    .from(softwareVersion)
    .where(isWanted(softwareVersion, wanted));
  return found;
}

/** The previous version of a device; null if none is known. */
export const versionBefore = (
  deviceId: SQLWrapper,
  { component, version }: SoftwareReference,
): SQL<string | null> =>
  sql<string | null>`(${build
    .select({ version: deviceVersionHistory.version })
    .from(deviceVersionHistory)
    .where(
      and(
        eq(deviceVersionHistory.deviceId, deviceId),
        eq(deviceVersionHistory.component, component),
        isNotNull(deviceVersionHistory.version),
        ne(deviceVersionHistory.version, version),
      ),
    )
    .orderBy(desc(deviceVersionHistory.id))
    .limit(1)})`;
