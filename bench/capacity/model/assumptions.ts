/** What a fleet and its users do, and what is aimed at. Every figure is an option of `npm run bench:capacity`. */
export const assumptionDefaults = {
  /** Seconds between the heartbeats of a device. */
  heartbeat: 20,
  /** Device events per device and day. */
  events: 10,
  /** Commands per device and month, each on `targets` devices. */
  commands: 4,
  /** Devices of one run on average. */
  targets: 20,
  /** Lost connections per device and hour. */
  reconnects: 0.05,
  /** Seconds between messages with metrics; Infinity without metrics. */
  metricSeconds: 300,
  /** Days of metrics as they were measured, and of quarters of an hour. */
  metricSampleDays: 7,
  metricQuarterDays: 90,
  /** New devices per month, as a share of the fleet. */
  growth: 0.02,
  /** Users at work at the same time, per 100,000 devices; at least ten. */
  users: 20,
  /** Calls of screens per user and minute. */
  calls: 12,
  /** Events, commands, reconnects, and calls in the busiest hour, as a multiple of the average. */
  peak: 3,
  /** Share of a core that is used in the busiest hour. */
  utilization: 0.6,
  /** Days of the audit trail in the database. */
  hot: 90,
  /** Days of the audit trail in files. */
  cold: 2_557,
  /** Days of the output of commands. */
  output: 180,
  /** Days of API calls. */
  callDays: 30,
  /** Years after which sizes are stated, because some tables only grow. */
  years: 1,
  /** Seconds between checkpoints of PostgreSQL. */
  checkpoint: 300,
} as const;

export type Assumptions = Readonly<Record<keyof typeof assumptionDefaults, number>>;

const HOURS_PER_MONTH = 730;
export const DAY_SECONDS = 86_400;
export const MONTH_SECONDS = HOURS_PER_MONTH * 3_600;
