import { activityOf, type Activity } from './activity.ts';
import { DAY_SECONDS, MONTH_SECONDS, type Assumptions } from './assumptions.ts';
import { brokerKinds, brokerNeed, type BrokerNeed } from './broker-kinds.ts';
import { fleetActivity, monthlyActivity, usersOf } from './fleet-activity.ts';
import { iotNeed, type IotNeed } from './iot-need.ts';
import { usageFor, type UnitCosts } from './unit-costs.ts';
import type { Quantity, Usage } from './usage.ts';

/** Measured besides the unit costs. */
export interface FixedFigures {
  readonly costs: UnitCosts;
  /** Size of the database for a device without a past, with its indexes. */
  readonly bytesPerDevice: number;
  /** Sizes of metrics with their indexes, by `npm run bench:metrics`. */
  readonly metricBytes: MetricBytes;
  /** Size of an event of the audit trail in the file of its month. */
  readonly coldBytesPerEvent: number;
  /** Memory of Mosquitto for a connection. */
  readonly brokerBytesPerConnection: number;
  /** CPU time of one computation of speed-process.ts while the costs were measured. */
  readonly computationMicroseconds: number;
}

/** Of a device: an hour of samples, a day of quarters of an hour, and a month of days. */
export interface MetricBytes {
  readonly hour: number;
  readonly day: number;
  readonly month: number;
}

/** A role and its processes, each of which computes on one core. */
export interface RoleNeed {
  readonly averageCores: number;
  readonly peakCores: number;
  readonly processes: number;
}

/** What a number of devices needs. Rates are per second. */
export interface CapacityPlan {
  readonly devices: number;
  readonly users: number;
  readonly average: Activity;
  readonly peak: Activity;
  readonly roles: Readonly<Record<'gateway' | 'web' | 'worker', RoleNeed>>;
  readonly databaseCores: { readonly average: number; readonly peak: number };
  readonly databaseConnections: number;
  readonly peakUsage: Usage;
  readonly averageUsage: Usage;
  readonly brokers: readonly BrokerNeed[];
  /** Seconds until the devices of a lost Mosquitto are connected to the others. */
  readonly returnSeconds: number;
  readonly sizes: Sizes;
  readonly iot: IotNeed;
}

/** Gigabytes. */
export interface Sizes {
  readonly devices: number;
  readonly auditTrail: number;
  readonly output: number;
  readonly calls: number;
  readonly metrics: number;
  /** Blocks of the audit trail, runs, and invocations, which are not deleted. */
  readonly keptPerYear: number;
  readonly database: number;
  readonly archive: number;
}

/** Two, so that one can stop. */
const PROCESSES_AT_LEAST = 2;
const PROCESSES_AT_MOST = 10_000;
const CONNECTIONS_PER_SERVER = 26;
const GIGABYTE = 1e9;
const DAYS_PER_YEAR = 365;

export function planCapacity(
  devices: number,
  assumed: Assumptions,
  figures: FixedFigures,
): CapacityPlan {
  const { costs } = figures;
  const gateways = gatewaysFor(devices, assumed, costs);
  const average = fleetActivity(devices, assumed, { gateways, factor: 1 });
  const peak = fleetActivity(devices, assumed, { gateways, factor: assumed.peak });
  const [averageUsage, peakUsage] = [usageFor(average, costs), usageFor(peak, costs)];
  const role = (quantity: Quantity, atLeast = PROCESSES_AT_LEAST): RoleNeed => ({
    averageCores: averageUsage[quantity] / 1_000,
    peakCores: peakUsage[quantity] / 1_000,
    processes: Math.max(atLeast, processesFor(peakUsage[quantity], assumed)),
  });
  const roles = {
    gateway: role('gatewayCpuMs', gateways),
    web: role('webCpuMs'),
    worker: role('workerCpuMs'),
  };
  const servers = Object.values(roles).reduce((sum, { processes }) => sum + processes, 0);
  const brokers = brokerKinds.map((kind) =>
    brokerNeed(kind, devices, {
      cpuCores: peakUsage.brokerCpuMs / 1_000,
      messages: peakUsage.brokerMessagesIn,
      utilization: assumed.utilization,
      mosquittoBytes: figures.brokerBytesPerConnection,
    }),
  );
  return {
    ...{ devices, users: usersOf(devices, assumed), average, peak, roles, brokers },
    ...{ averageUsage, peakUsage, sizes: sizesOf(devices, assumed, figures) },
    databaseCores: {
      average: averageUsage.databaseCpuMs / 1_000,
      peak: peakUsage.databaseCpuMs / 1_000 / assumed.utilization,
    },
    databaseConnections: servers * CONNECTIONS_PER_SERVER,
    returnSeconds: returnSeconds(devices, brokers[0]?.nodes ?? PROCESSES_AT_LEAST, costs),
    iot: iotNeed(devices, assumed),
  };
}

/** A process that computes for so many milliseconds in a second is used as much as is aimed at. */
const processesFor = (cpuMs: number, { utilization }: Assumptions): number =>
  Math.ceil(cpuMs / (1_000 * utilization));

/** More gateways write more and smaller batches, so their number is found step by step. */
function gatewaysFor(devices: number, assumed: Assumptions, costs: UnitCosts): number {
  for (let gateways = PROCESSES_AT_LEAST; gateways < PROCESSES_AT_MOST; gateways += 1) {
    const peak = fleetActivity(devices, assumed, { gateways, factor: assumed.peak });
    if (processesFor(usageFor(peak, costs).gatewayCpuMs, assumed) <= gateways) return gateways;
  }
  throw new Error(`${devices} devices need more than ${PROCESSES_AT_MOST} gateways`);
}

/** The others accept the devices of one of `nodes` as fast as a core each allows. */
function returnSeconds(devices: number, nodes: number, costs: UnitCosts): number {
  return (devices / nodes) * (costs.reconnect.brokerCpuMs / 1_000 / (nodes - 1));
}

function sizesOf(
  devices: number,
  assumed: Assumptions,
  { costs, bytesPerDevice, coldBytesPerEvent, metricBytes }: FixedFigures,
): Sizes {
  const month = monthlyActivity(devices, assumed);
  const { firstConnect, reconnect, event, run, invocation, read } = month;
  // The others only write rows again, so that their tables do not grow.
  const growing = { firstConnect, reconnect, event, run, invocation, read };
  const working = usageFor(activityOf(growing), costs);
  const perDay = (quantity: Quantity): number =>
    (working[quantity] * DAY_SECONDS) / MONTH_SECONDS / GIGABYTE;
  const sizes = {
    devices: (devices * bytesPerDevice) / GIGABYTE,
    auditTrail: perDay('auditBytes') * assumed.hot,
    output: perDay('outputBytes') * assumed.output,
    calls: perDay('callBytes') * assumed.callDays,
    metrics: (devices * metricBytesAfter(assumed, metricBytes)) / GIGABYTE,
    keptPerYear: perDay('keptBytes') * DAYS_PER_YEAR,
  };
  const { keptPerYear, ...others } = sizes;
  return {
    ...sizes,
    database:
      Object.values(others).reduce((sum, size) => sum + size, 0) + keptPerYear * assumed.years,
    archive: perDay('auditEvents') * coldBytesPerEvent * Math.max(0, assumed.cold - assumed.hot),
  };
}

/** Days of metrics are kept for three years. */
const METRIC_MONTHS = 36;

/** Of a device, after the years for which sizes are stated. */
function metricBytesAfter(assumed: Assumptions, { hour, day, month }: MetricBytes): number {
  if (!Number.isFinite(assumed.metricSeconds)) return 0;
  const months = Math.min(METRIC_MONTHS, 12 * assumed.years);
  return 24 * assumed.metricSampleDays * hour + assumed.metricQuarterDays * day + months * month;
}
