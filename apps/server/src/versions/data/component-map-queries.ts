import { asc, gt, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceVersion } from './versions-tables.ts';

/** The components of a device, and when they were last reported. */
export interface ComponentMap {
  readonly at: Date;
  /** Versions by component. */
  readonly components: Readonly<Record<string, string>>;
}

const { deviceId, component, version, reportedAt } = deviceVersion;

/** The components of devices that have some. */
export async function selectComponentMaps(
  on: Executor,
  ids: readonly string[],
): Promise<Map<string, ComponentMap>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .select({
      deviceId,
      at: sql<string>`max(${reportedAt})`,
      components: sql<Record<string, string>>`jsonb_object_agg(${component}, ${version})`,
    })
    .from(deviceVersion)
    .where(isAnyOf(deviceId, ids))
    .groupBy(deviceId);
  return new Map(
    rows.map(({ deviceId: id, at, components }) => [id, { at: new Date(at), components }]),
  );
}

/** Devices with components, in the order of their IDs. */
export async function listDevicesWithComponents(
  on: Executor,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .selectDistinct({ deviceId })
    .from(deviceVersion)
    .where(after === null ? undefined : gt(deviceId, after))
    .orderBy(asc(deviceId))
    .limit(limit);
  return rows.map((row) => row.deviceId);
}
