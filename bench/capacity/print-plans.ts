import type { Assumptions } from './model/assumptions.ts';
import type { CapacityPlan, RoleNeed } from './model/plan.ts';
import { printTable, shorten } from './print-table.ts';

type Cell = (plan: CapacityPlan) => string;
type Line = readonly [title: string, cell: Cell];

const cores = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const gigabytes = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const pair = (one: string, other: string): string => `${one}, ${other}`;
const megabits = (bytes: number): string => ((bytes * 8) / 1e6).toFixed(1);

/** What each number of devices needs, in columns. */
export function printPlans(plans: readonly CapacityPlan[], assumed: Assumptions): void {
  const given = Object.entries(assumed).map(([name, value]) => `${name} ${value}`);
  console.log(`\nAssumed: ${given.join(', ')}`);
  const lines = [
    ...activityLines,
    ...serverLines,
    ...brokerLines(plans[0]),
    ...databaseLines,
    ...sizeLines(assumed),
    ...cloudLines,
  ];
  printTable(lines.map(([title, cell]) => [title, ...plans.map(cell)]));
}

const activityLines: readonly Line[] = [
  ['', ({ devices }) => devices.toLocaleString('en')],
  ['users at work', ({ users }) => users.toFixed(0)],
  ['heartbeats a second', ({ peak }) => shorten(peak.connectionHeartbeat)],
  ['messages with metrics a second', ({ peak }) => shorten(peak.metricMessage)],
  ['events a second, busiest hour', ({ peak }) => shorten(peak.event)],
  ['commands on devices a second, busiest hour', ({ peak }) => shorten(peak.invocation)],
];

const role = (title: string, of: (plan: CapacityPlan) => RoleNeed): Line => [
  `${title}: processes (cores: average, busiest hour)`,
  (plan) => {
    const { processes, averageCores, peakCores } = of(plan);
    return `${processes} (${pair(cores(averageCores), cores(peakCores))})`;
  },
];

const serverLines: readonly Line[] = [
  role('gateway', ({ roles }) => roles.gateway),
  role('web, identity', ({ roles }) => roles.web),
  role('worker', ({ roles }) => roles.worker),
];

const brokerLines = (first: CapacityPlan | undefined): readonly Line[] => [
  ...(first?.brokers ?? []).map(({ name }, at): Line => [
    `${name}: nodes (cores, GB for connections)`,
    ({ brokers }) => {
      const need = brokers[at];
      return need ? `${need.nodes} (${pair(cores(need.cores), gigabytes(need.gigabytes))})` : '';
    },
  ]),
  ['devices of a lost Mosquitto return in, s', (plan) => plan.returnSeconds.toFixed(0)],
  [
    'messages to, from the broker a second',
    ({ peakUsage: { brokerMessagesIn, brokerMessagesOut } }) =>
      pair(shorten(brokerMessagesIn), shorten(brokerMessagesOut)),
  ],
  [
    'MQTT to, from the broker, Mbit/s',
    ({ peakUsage }) => pair(megabits(peakUsage.brokerBytesIn), megabits(peakUsage.brokerBytesOut)),
  ],
];

const databaseLines: readonly Line[] = [
  [
    'PostgreSQL: cores on average, to provide',
    ({ databaseCores }) => pair(cores(databaseCores.average), cores(databaseCores.peak)),
  ],
  ['write-ahead log, MB/s', ({ peakUsage }) => (peakUsage.walBytes / 1e6).toFixed(2)],
  [
    'transactions, rows written a second',
    ({ peakUsage }) => pair(shorten(peakUsage.commits), shorten(peakUsage.rowsWritten)),
  ],
  ['connections to PostgreSQL', (plan) => String(plan.databaseConnections)],
];

const sizeLines = ({ hot, output, callDays, years, cold }: Assumptions): readonly Line[] => [
  [`database after ${years} years, GB`, ({ sizes }) => gigabytes(sizes.database)],
  ['  devices', ({ sizes }) => gigabytes(sizes.devices)],
  [`  audit trail of ${hot} days`, ({ sizes }) => gigabytes(sizes.auditTrail)],
  [`  output of ${output} days`, ({ sizes }) => gigabytes(sizes.output)],
  [`  API calls of ${callDays} days`, ({ sizes }) => gigabytes(sizes.calls)],
  ['  metrics', ({ sizes }) => gigabytes(sizes.metrics)],
  ['  blocks of the trail, runs, for each year', ({ sizes }) => gigabytes(sizes.keptPerYear)],
  [`files of the audit trail, ${cold} days, GB`, ({ sizes }) => gigabytes(sizes.archive)],
];

const cloudLines: readonly Line[] = [
  ['AWS IoT Core instead of brokers: messages a month', ({ iot }) => shorten(iot.messages)],
  [
    'SQS: messages, calls a month',
    ({ iot }) => pair(shorten(iot.queueMessages), shorten(iot.queueCalls)),
  ],
];
