/** What costs something. An activity is how often each of them happens. */
export const drivers = [
  /** A second of an installation without devices: one server for each role, its jobs and polls. */
  'second',
  /** A second with heartbeats on one gateway, which writes them once a second. */
  'heartbeatBatch',
  /** A heartbeat without news, which only counts as a sign of life. */
  'notedHeartbeat',
  /** A heartbeat that is written to the row of its device: one a minute, and each with news. */
  'writtenHeartbeat',
  /** A heartbeat on a connection, with the ping that keeps the connection alive: for the broker. */
  'connectionHeartbeat',
  /** The broker has waited, and now reads and writes all connections that are ready. */
  'brokerWakeup',
  /** A second of a connected device, during which silent ones are searched for. */
  'deviceSecond',
  /** The first connection of a device, with its inventory, software, and position. */
  'firstConnect',
  /** The end of a connection, and the next one. */
  'reconnect',
  /** A transaction in which a gateway stores journals: events and results. */
  'journalBatch',
  'event',
  /** A command that a user runs, without the work for each device. */
  'run',
  /** A command on one device: sent, run, and its output and result stored. */
  'invocation',
  /** A call of a screen. */
  'read',
  /** A message with metrics, with its acknowledgment. Its costs are those of `npm run bench:metrics`. */
  'metricMessage',
  /** A device whose row is logged completely once, because a checkpoint has begun. */
  'checkpointDevice',
] as const;

export type Driver = (typeof drivers)[number];
export type Activity = Readonly<Record<Driver, number>>;

export const activityOf = (amounts: Partial<Activity>): Activity =>
  Object.fromEntries(drivers.map((driver) => [driver, amounts[driver] ?? 0])) as Record<
    Driver,
    number
  >;

/** A device is written once in this time, or with every heartbeat if those are rarer. */
export const WRITTEN_EVERY_SECONDS = 60;

/** Heartbeats of one interval, by what becomes of them. */
export function heartbeatsOf(count: number, everySeconds: number) {
  const writtenHeartbeat = count * Math.min(1, everySeconds / WRITTEN_EVERY_SECONDS);
  return { writtenHeartbeat, notedHeartbeat: count - writtenHeartbeat };
}

/** A gateway gathers journals for so long. */
const GATHERED_SECONDS = 0.02;

/** What arrives so soon after a message, a broker handles with it: measured, see docs/guides/capacity.md. */
const HANDLED_TOGETHER_SECONDS = 0.002;

/** Transactions per second in which `gateways` store journals that arrive at this rate. */
export const journalBatchesPerSecond = (journalsPerSecond: number, gateways: number): number =>
  groupsPerSecond(journalsPerSecond, { processes: gateways, gatheredSeconds: GATHERED_SECONDS });

/** How often in a second `brokers` have waited, for messages that arrive at this rate. */
export const brokerWakeupsPerSecond = (messagesPerSecond: number, brokers: number): number =>
  groupsPerSecond(messagesPerSecond, {
    processes: brokers,
    gatheredSeconds: HANDLED_TOGETHER_SECONDS,
  });

/** Groups of what arrives evenly at each of the processes, which begin with something that arrives alone. */
function groupsPerSecond(
  perSecond: number,
  { processes, gatheredSeconds }: { readonly processes: number; readonly gatheredSeconds: number },
): number {
  const each = perSecond / processes;
  return (processes * each) / (1 + each * gatheredSeconds);
}
