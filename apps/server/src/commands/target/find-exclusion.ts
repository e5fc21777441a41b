import { sql } from 'drizzle-orm';
import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import type { RunPermission } from '@deviceportal/contract/permissions';
import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import { findDevice } from '../../devices/find-device.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { resolveCommand } from '../catalog/resolve-command.ts';
import { permissionsToRun } from '../run-policy.ts';
import { targetQuery } from './target-query.ts';
import { selectTargetDevices } from './target-store.ts';

/** Whether a command would leave a device out, found as a run finds it, and what is known of the device. */
export interface ExclusionFacts {
  readonly exclusion: ExclusionReason | null;
  /** Any one of these runs the command. */
  readonly toRun: readonly RunPermission[];
  readonly deviceId: string;
  readonly deviceName: string;
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
}

/** @throws PortalError 4002, 2003 without such a command or document; 6000 where the viewer sees no such device */
export async function findExclusion(
  { database, clock }: Pick<CommandsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  wanted: { readonly command: string; readonly document: string; readonly deviceId: string },
): Promise<ExclusionFacts> {
  const { orm } = database;
  const resolved = await resolveCommand(orm, wanted.command, wanted.document);
  const reference = wanted.deviceId;
  const deviceId = await findDevice(orm, viewer, { reference, permissions: ['devices:read'] });
  const target = { kind: 'devices' as const, deviceIds: [deviceId] };
  const query = await targetQuery(orm, viewer, { resolved, target, now: clock() });
  const [found] = await selectTargetDevices(orm, query);
  const { rows } = await orm.execute(sql`
    select d.id as "deviceId", coalesce(d.serial_number, d.name) as "deviceName", d.country, d.model, d.labels, d.lifecycle,
      s.connectivity, s.connectivity_since as "connectivitySince", s.disconnect_reason as "disconnectReason",
      i.id as "instanceId"
    from device d
    left join device_status s on s.device_id = d.id
    left join device_instance i on i.device_id = d.id and i.state = 'current'
    where d.id = ${deviceId}`);
  const device = rows[0] as unknown as Omit<ExclusionFacts, 'exclusion' | 'toRun'>;
  return {
    ...device,
    connectivitySince: isoOrNull(device.connectivitySince),
    exclusion: found?.exclusion ?? null,
    toRun: permissionsToRun(resolved),
  };
}
