import type { DeviceRow } from '@deviceportal/contract/devices';
import type {
  ConnectivityStrip,
  ReportEvent,
  StripState,
} from '@deviceportal/contract/user-report-document';
import { readEvents } from '../../audit-trail/read-events.ts';
import { connectivityStrip, connectivityTypes, stripStateAfter } from './connectivity-strips.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportMaking } from './report-making.ts';

/** A strip for each device, told from its events, and from the last one before the period. */
export async function readConnectivity(
  making: ReportMaking,
  devices: readonly DeviceRow[],
  timeline: readonly ReportEvent[],
): Promise<ConnectivityStrip[]> {
  if (!mayRead(making, 'connectivity', 'audit-trail:read')) return [];
  const { from, to } = making.report;
  const byDevice = Map.groupBy(timeline, ({ deviceId }) => deviceId);
  const strips: ConnectivityStrip[] = [];
  for (const device of devices) {
    strips.push(
      connectivityStrip({
        ...{ deviceId: device.id, device: deviceName(device), from, to },
        before: await stateBefore(making, device),
        events: byDevice.get(device.id) ?? [],
      }),
    );
  }
  return strips;
}

async function stateBefore(
  { deps, viewer, report }: ReportMaking,
  device: DeviceRow,
): Promise<StripState> {
  const { connectivity, connectivitySince } = device;
  // It has been so since before the period began: no need to look.
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
