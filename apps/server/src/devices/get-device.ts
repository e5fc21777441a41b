import type { DeviceDetail } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { Viewer } from '../platform/viewer.ts';
import { loadDeviceFacts } from './load-device-facts.ts';
import { loadDeviceRows } from './list/load-device-rows.ts';
import { deviceVerdicts } from './device-verdicts.ts';
import { findDevice } from './find-device.ts';
import { verdictsWithFindings } from './verdicts-with-findings.ts';
import { withoutCommands } from '../findings/visible-facts.ts';
import { evaluateDevice } from '../findings/evaluate-device.ts';
import { placeFor } from '../locations/place-for.ts';

export interface GetDeviceDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Absent: all countries are supported. */
  readonly named?: Pick<NamedSettings, 'supportedCountries'>;
}

/**
 * All data of a device's screen. Depending on the viewer's permissions, the location is rounded or absent; the precise
 * one is available, and recorded, through `locations.deviceTrack`.
 */
export async function getDevice(
  deps: GetDeviceDeps,
  viewer: Viewer,
  reference: string,
): Promise<DeviceDetail> {
  const on = deps.database.orm;
  const id = await findDevice(on, viewer, { reference, permissions: ['devices:read'] });
  const [row] = await loadDeviceRows(on, viewer, [id]);
  if (row === undefined) throw new PortalError('deviceNotFound', { facts: { device: reference } });
  const { place, lastInvocation, ...facts } = await loadDeviceFacts(on, id);
  const may = (permission: 'commands:read' | 'locations:read'): boolean =>
    reaches(scopesOf(viewer.grants, [permission]), row);
  const seesCommands = may('commands:read');
  const verdicts = deviceVerdicts({
    row,
    instances: facts.instances,
    lastInvocation: seesCommands ? lastInvocation : null,
    now: deps.clock(),
  });
  const findings = await evaluateDevice(deps, id, {
    supportedCountries: deps.named?.supportedCountries ?? [],
  });
  return {
    ...row,
    ...facts,
    place: place !== null && may('locations:read') ? placeFor(place, false) : null,
    verdicts: verdictsWithFindings(
      verdicts,
      findings.map((finding) =>
        seesCommands
          ? finding
          : { ...finding, facts: withoutCommands(finding.rule, finding.facts) },
      ),
    ),
  };
}
