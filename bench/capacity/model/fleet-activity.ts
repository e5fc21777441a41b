import {
  activityOf,
  brokerWakeupsPerSecond,
  heartbeatsOf,
  journalBatchesPerSecond,
  type Activity,
} from './activity.ts';
import { DAY_SECONDS, MONTH_SECONDS, type Assumptions } from './assumptions.ts';
import { mosquittoNodes } from './broker-kinds.ts';

const FEWEST_USERS = 10;
const WORKING_HOURS_PER_MONTH = 176;

/** What happens in a second with this number of devices, all connected. */
export function fleetActivity(
  devices: number,
  assumed: Assumptions,
  { gateways, factor }: { readonly gateways: number; readonly factor: number },
): Activity {
  const connectionHeartbeat = devices / assumed.heartbeat;
  const metricMessage = devices / assumed.metricSeconds;
  const invocation = (factor * devices * assumed.commands) / MONTH_SECONDS;
  const event = (factor * devices * assumed.events) / DAY_SECONDS;
  return activityOf({
    second: 1,
    heartbeatBatch: gateways,
    connectionHeartbeat,
    ...heartbeatsOf(connectionHeartbeat, assumed.heartbeat),
    metricMessage,
    brokerWakeup: brokerWakeupsPerSecond(
      connectionHeartbeat + metricMessage,
      mosquittoNodes(devices),
    ),
    deviceSecond: devices,
    firstConnect: (factor * devices * assumed.growth) / MONTH_SECONDS,
    reconnect: (factor * devices * assumed.reconnects) / 3_600,
    event,
    journalBatch: journalBatchesPerSecond(event + invocation, gateways),
    run: invocation / assumed.targets,
    invocation,
    read: (factor * usersOf(devices, assumed) * assumed.calls) / 60,
    checkpointDevice: devices / assumed.checkpoint,
  });
}

export const usersOf = (devices: number, { users }: Pick<Assumptions, 'users'>): number =>
  Math.max(FEWEST_USERS, (devices * users) / 100_000);

/** What happens in a month. Users work a part of it; everything else is around the clock. */
export function monthlyActivity(devices: number, assumed: Assumptions): Activity {
  const second = fleetActivity(devices, assumed, { gateways: 1, factor: 1 });
  return activityOf({
    ...Object.fromEntries(
      Object.entries(second).map(([driver, perSecond]) => [driver, perSecond * MONTH_SECONDS]),
    ),
    read: second.read * WORKING_HOURS_PER_MONTH * 3_600,
  });
}
