import { eq, sql } from 'drizzle-orm';
import type { TavState } from '@deviceportal/contract/states';
import { openFindings } from '../../../findings/data/open-findings.ts';
import { personNames } from '../../../people/data/person-names.ts';
import { builtOnce } from '../../../platform/database/built-once.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../../platform/database/json-rows.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import { device, deviceStatus } from '../devices-tables.ts';

export type StoredDeviceRow = Awaited<ReturnType<typeof selectDeviceRows>>[number];

/** The list rows of devices, sorted by ID. */
export const selectDeviceRows = (on: Executor, ids: readonly string[]) =>
  rowsQuery(on).execute({ ids: [...ids] });

const rowsQuery = builtOnce((on) => {
  const id = sql`wanted.id`;
  const findings = on
    .select({
      value: jsonArray(jsonObject({ rule: openFindings.rule, severity: openFindings.severity })),
    })
    .from(openFindings)
    .where(eq(openFindings.deviceId, id));
  return on
    .select({
      id: device.id,
      serialNumber: device.serialNumber,
      name: device.name,
      model: device.model,
      hardwareRevision: device.hardwareRevision,
      ownerId: device.ownerId,
      ownerName: personNames.name,
      country: device.country,
      labels: device.labels,
      lifecycle: device.lifecycle,
      engine: device.engine,
      connectivity: deviceStatus.connectivity,
      connectivitySince: deviceStatus.connectivitySince,
      lastSeenAt: deviceStatus.lastSeenAt,
      disconnectReason: deviceStatus.disconnectReason,
      failing: deviceStatus.failing,
      instanceId: deviceStatus.instanceId,
      agentVersion: deviceStatus.agentVersion,
      platform: deviceStatus.platform,
      ipAddress: deviceStatus.ipAddress,
      softwareVersion: deviceStatus.softwareVersion,
      tavState: sql<TavState | null>`nullif(${deviceStatus.tavState}, 'none')`,
      findings: scalar(findings),
      createdAt: device.createdAt,
    })
    .from(sql`unnest(${sql.placeholder('ids')}::uuid[]) with ordinality as wanted(id, position)`)
    .innerJoin(device, eq(device.id, id))
    .leftJoin(deviceStatus, eq(deviceStatus.deviceId, id))
    .leftJoin(personNames, eq(personNames.personId, device.ownerId))
    .orderBy(sql`wanted.position`)
    .prepare('device-rows');
});
