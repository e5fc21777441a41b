/**
 * Checks the check-in forecast on the history of the simulated fleet: at random moments at which a device is offline,
 * it predicts from the past alone, and the result is compared with what came. Fails if forecasts with a probability of
 * about 80 % come true in less than 75 % or more than 85 %. `npm run bench:forecast [-- --devices 400]`
 */

import { parseArgs } from 'node:util';
import {
  describeFleet,
  type DevicePlan,
  type Rhythm,
} from '../apps/agent/src/fleet/describe-fleet.ts';
import { isAwake } from '../apps/agent/src/fleet/rhythm.ts';
import { seededRandom } from '../apps/agent/src/fleet/seeded-random.ts';
import {
  connectionHistory,
  type ConnectionChange,
} from '../apps/server/src/check-in-forecast/absences.ts';
import { forecastReturn } from '../apps/server/src/check-in-forecast/forecast-return.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Across the end of summer time in Europe and the United States. */
const FROM_MS = Date.UTC(2026, 8, 1);
const DAYS = 84;
/** Forecasts are made in the last part, from the 42 days before them. */
const FORECAST_DAYS = 28;
const KNOWN_DAYS = 42;
const MOMENTS = 80;
const GRID_MS = 3 * MINUTE_MS;
const ENDS_MS = FROM_MS + DAYS * DAY_MS;

interface Outcome {
  readonly rhythm: Rhythm;
  readonly basis: string;
  readonly share: number;
  readonly isTrue: boolean;
  readonly windowMs: number;
}

const { values } = parseArgs({ options: { devices: { type: 'string', default: '400' } } });
const outcomes: Outcome[] = [];
let withoutForecast = 0;
const startedMs = performance.now();
let spentMs = 0;
let forecasts = 0;
for (const device of describeFleet(Number(values.devices)).devices) predictDevice(device);
report();

function changesOf(device: DevicePlan): ConnectionChange[] {
  const changes: ConnectionChange[] = [];
  let before: boolean | null = null;
  for (let atMs = FROM_MS; atMs < ENDS_MS; atMs += GRID_MS) {
    const isConnected = isAwake(device, atMs);
    if (isConnected === before) continue;
    changes.push({ atMs: before === null ? atMs : refine(device, atMs, isConnected), isConnected });
    before = isConnected;
  }
  return changes;
}

function refine(device: DevicePlan, atMs: number, isConnected: boolean): number {
  let foundMs = atMs;
  while (isAwake(device, foundMs - MINUTE_MS) === isConnected) foundMs -= MINUTE_MS;
  return foundMs;
}

function predictDevice(device: DevicePlan): void {
  if (device.rhythm === 'never' || device.rhythm === 'always') return;
  const changes = changesOf(device);
  const random = seededRandom(`forecast/${device.serialNumber}`);
  for (let count = 0; count < MOMENTS; count += 1) {
    const minutes = random.integer(0, FORECAST_DAYS * 1_440 - 1);
    const nowMs = ENDS_MS - FORECAST_DAYS * DAY_MS + minutes * MINUTE_MS;
    const last = changes.findLast(({ atMs }) => atMs <= nowMs);
    if (last === undefined || last.isConnected) continue;
    const back = changes.find(({ atMs, isConnected }) => atMs > nowMs && isConnected);
    predict(device, { changes, nowMs, sinceMs: last.atMs, backMs: back?.atMs ?? Infinity });
  }
}

interface Moment {
  readonly changes: readonly ConnectionChange[];
  readonly nowMs: number;
  readonly sinceMs: number;
  readonly backMs: number;
}

function predict(device: DevicePlan, { changes, nowMs, sinceMs, backMs }: Moment): void {
  const known = changes.filter(({ atMs }) => atMs <= nowMs && atMs > nowMs - KNOWN_DAYS * DAY_MS);
  const beforeMs = performance.now();
  const forecast = forecastReturn(connectionHistory(known), { sinceMs, nowMs }, device.timeZone);
  spentMs += performance.now() - beforeMs;
  forecasts += 1;
  if (forecast === null) {
    withoutForecast += 1;
    return;
  }
  const { basis, share, byMs } = forecast;
  const { rhythm } = device;
  outcomes.push({ rhythm, basis, share, isTrue: backMs <= byMs, windowMs: byMs - nowMs });
}

function report(): void {
  const bins = [0.75, 0.85, 0.95, 1.01];
  for (const [index, from] of bins.slice(0, -1).entries()) {
    const to = bins[index + 1] ?? 1;
    row(
      `said ${from}-${to}`,
      outcomes.filter(({ share }) => share >= from && share < to),
    );
  }
  for (const [rhythm, those] of Map.groupBy(outcomes, (each) => each.rhythm)) row(rhythm, those);
  for (const [basis, those] of Map.groupBy(outcomes, (each) => each.basis)) row(basis, those);
  const said80 = outcomes.filter(({ share }) => share < 0.85);
  const cameTrue = said80.filter(({ isTrue }) => isTrue).length / said80.length;
  process.stdout.write(
    `${outcomes.length} forecasts, ${withoutForecast} without; ${(spentMs / forecasts).toFixed(2)} ms each; ` +
      `${Math.round((performance.now() - startedMs) / 1_000)} s\n`,
  );
  if (!(cameTrue >= 0.75 && cameTrue <= 0.85)) process.exitCode = 1;
}

function row(name: string, those: readonly Outcome[]): void {
  const mean = (valueOf: (each: Outcome) => number): number =>
    those.reduce((sum, each) => sum + valueOf(each), 0) / those.length;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const hours = those.map(({ windowMs }) => windowMs / 3_600_000).toSorted((a, b) => a - b);
  process.stdout.write(
    `${name.padEnd(16)} ${String(those.length).padStart(6)} said ${percent(mean(({ share }) => share))} ` +
      `true ${percent(mean(({ isTrue }) => Number(isTrue)))} median window ${hours[hours.length >> 1]?.toFixed(1)} h\n`,
  );
}
