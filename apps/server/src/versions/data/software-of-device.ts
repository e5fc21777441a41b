import { and, eq, ne, sql, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { deviceVersion, versionCell } from './versions-tables.ts';

/** The components of a device, each compared with its approved version, as JSON. */
export const softwareOfDevice = (device: {
  readonly id: SQLWrapper;
  readonly model: SQLWrapper;
  readonly country: SQLWrapper;
  readonly lifecycle: SQLWrapper;
}) =>
  scalar(
    new QueryBuilder()
      .select({
        value: jsonArray(
          jsonObject({
            component: deviceVersion.component,
            version: deviceVersion.version,
            since: deviceVersion.since,
            reportedAt: deviceVersion.reportedAt,
            tavState: sql<(typeof versionCell.$inferSelect)['state'] | null>`${versionCell.state}`,
          }),
          { orderBy: deviceVersion.component },
        ),
      })
      .from(deviceVersion)
      .leftJoin(
        versionCell,
        and(
          eq(versionCell.component, deviceVersion.component),
          eq(versionCell.version, deviceVersion.version),
          eq(versionCell.model, sql`coalesce(${device.model}, '')`),
          eq(versionCell.country, sql`coalesce(${device.country}, '')`),
          ne(device.lifecycle, 'retired'),
        ),
      )
      .where(eq(deviceVersion.deviceId, device.id)),
  );
