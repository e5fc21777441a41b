import type { DeviceRow } from '@deviceportal/contract/devices';
import type {
  ConnectivityStrip,
  ReportEvent,
  StripState,
} from '@deviceportal/contract/user-report-document';
import { readEvents } from '../../audit-trail/read-events.ts';
import { connectivityStrip, connectivityTypes, stripStateAfter } from './connectivity-strips.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

/** Connectivity of each device, derived from its events and the last event before the time range. */
export async function readConnectivity(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
  timeline: readonly ReportEvent[],
): Promise<ConnectivityStrip[]> {
  if (!mayRead(creation, 'connectivity', 'audit-trail:read')) return [];
  const { from, to } = creation.report;
  const byDevice = Map.groupBy(timeline, ({ deviceId }) => deviceId);
  const strips: ConnectivityStrip[] = [];
  for (const device of devices) {
    strips.push(
      connectivityStrip({
        ...{ deviceId: device.id, device: deviceName(device), from, to },
        before: await stateBefore(creation, device),
        events: byDevice.get(device.id) ?? [],
      }),
    );
  }
  return strips;
}

async function stateBefore(
  { deps, viewer, report }: ReportCreation,
  device: DeviceRow,
): Promise<StripState> {
  const { connectivity, connectivitySince } = device;
  // The state has not changed since before the time range: nothing needs to be read.
  if (
    connectivitySince !== null &&
    connectivitySince <= report.from &&
    connectivity !== 'unknown'
  ) {
    return connectivity === 'never' ? 'unknown' : connectivity;
  }
  const [last] = await readEvents(deps, viewer, {
    deviceId: device.id,
    types: connectivityTypes,
    from: null,
    to: report.from,
    limit: 1,
  });
  return (last && stripStateAfter(last.type)) ?? 'unknown';
}
