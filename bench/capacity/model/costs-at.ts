import type { Driver } from './activity.ts';
import type { Quantity } from './usage.ts';

/** What stores something for longer than a moment, or is seen by all servers. */
const WORK = ['firstConnect', 'reconnect', 'event', 'run', 'invocation', 'read'] as const;
/** In the audit trail. */
const RECORDED: readonly Driver[] = WORK.filter((driver) => driver !== 'read');
const AT_BROKER: readonly Driver[] = [
  ...(['second', 'connectionHeartbeat', 'firstConnect', 'reconnect'] as const),
  ...(['event', 'run', 'invocation'] as const),
];
const AT_USERS_AND_JOBS: readonly Driver[] = ['second', 'journalBatch', ...WORK];
const AT_GATEWAY: readonly Driver[] = [
  ...AT_USERS_AND_JOBS,
  ...(['heartbeatBatch', 'notedHeartbeat', 'writtenHeartbeat', 'deviceSecond'] as const),
];
const IN_DATABASE: readonly Driver[] = [...AT_GATEWAY, 'checkpointDevice'];
const WRITTEN: readonly Driver[] = IN_DATABASE.filter((driver) => driver !== 'deviceSecond');

const driversOf: Readonly<Record<Quantity, readonly Driver[]>> = {
  gatewayCpuMs: AT_GATEWAY,
  webCpuMs: AT_USERS_AND_JOBS,
  workerCpuMs: AT_USERS_AND_JOBS,
  brokerCpuMs: [...AT_BROKER, 'brokerWakeup'],
  databaseCpuMs: IN_DATABASE,
  walBytes: WRITTEN,
  commits: ['second', 'heartbeatBatch', 'journalBatch', ...WORK],
  rowsWritten: AT_GATEWAY.filter((driver) => driver !== 'deviceSecond'),
  auditEvents: RECORDED,
  auditBytes: RECORDED,
  outputBytes: ['run', 'invocation'],
  callBytes: ['run', 'read'],
  keptBytes: RECORDED,
  brokerMessagesIn: AT_BROKER,
  brokerMessagesOut: AT_BROKER,
  brokerBytesIn: AT_BROKER,
  brokerBytesOut: AT_BROKER,
};

/** Whether a driver can cost this at all. What it cannot, must not explain what was measured. */
export const costsAt = (driver: Driver, quantity: Quantity): boolean =>
  driversOf[quantity].includes(driver);
