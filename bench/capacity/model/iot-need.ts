import { MONTH_SECONDS, type Assumptions } from './assumptions.ts';

/** Heartbeats of devices behind AWS IoT Core. */
const IOT_HEARTBEAT_SECONDS = 900;
const DAYS_PER_MONTH = 30.4;
const MONTH_MINUTES = MONTH_SECONDS / 60;

/** What AWS IoT Core and SQS count in a month. */
export interface IotNeed {
  readonly connectionMinutes: number;
  readonly messages: number;
  readonly queueMessages: number;
  /** A message is written by one call, and ten are received and removed by two. */
  readonly queueCalls: number;
}

/** Heartbeats, journals, and their acknowledgments, which are a message in and one out. */
export function iotNeed(devices: number, assumed: Assumptions): IotNeed {
  const heartbeats = MONTH_SECONDS / IOT_HEARTBEAT_SECONDS;
  const journals = assumed.events * DAYS_PER_MONTH + assumed.commands;
  const reconnects = (assumed.reconnects * MONTH_SECONDS) / 3_600;
  const up = heartbeats + journals + 2 * reconnects;
  const down = 2 * journals + 2 * assumed.commands;
  return {
    connectionMinutes: devices * MONTH_MINUTES,
    messages: devices * (up + down),
    queueMessages: devices * up,
    queueCalls: devices * up * 1.2,
  };
}
