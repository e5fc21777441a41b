import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import { PortalError } from '@deviceportal/contract/errors';
import type { RunPermission } from '@deviceportal/contract/permissions';
import { findDeviceStanding } from '../../devices/data/find-device-standing.ts';
import { findDevice } from '../../devices/find-device.ts';
import { isoMoments, type IsoMoments } from '../../platform/iso-moments.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { resolveCommand } from '../catalog/resolve-command.ts';
import { selectTargetDevices } from '../data/target-queries.ts';
import { permissionsToRun } from '../run-policy.ts';
import { targetQuery } from './target-query.ts';

type Standing = NonNullable<Awaited<ReturnType<typeof findDeviceStanding>>>;

/** Whether and why a command would exclude a device, by the rules of a run, with the facts about the device. */
export interface ExclusionFacts extends IsoMoments<Standing> {
  readonly exclusion: ExclusionReason | null;
  /** Any of these runs the command. */
  readonly toRun: readonly RunPermission[];
}

/**
 * @throws PortalError 4002, 2003 if the command or document does not exist; 6000 if the viewer cannot see the device
 */
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
  const device = await findDeviceStanding(orm, deviceId);
  if (device === undefined)
    throw new PortalError('deviceNotFound', { facts: { device: deviceId } });
  return {
    ...isoMoments(device),
    exclusion: found?.exclusion ?? null,
    toRun: permissionsToRun(resolved),
  };
}
