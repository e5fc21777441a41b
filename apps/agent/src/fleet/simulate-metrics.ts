/**
 * Metrics of a simulated device: a daily rhythm that depends on its model and place, and the faults
 * of its health. The same device has the same values at the same time.
 */

import type { MetricValues } from '@deviceportal/contract/device-metrics';
import type { MetricSample } from '@deviceportal/device-protocol/metric-sample';
import type { DevicePlan } from './describe-fleet.ts';
import { modelOf, type DeviceHealth } from './device-health.ts';
import { isAwake, localTime } from './rhythm.ts';
import { hashText, randomAt } from './seeded-random.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Faults that a device has at its enrollment began so long before. */
const FAULT_BEGAN_MS = 9 * 3_600_000;
/** Samples of the past are this far apart, the last hours at the normal interval. */
const PAST_EVERY_MS = 5 * MINUTE_MS;
const RECENT_MS = 6 * 3_600_000;

interface Load {
  /** CPU in percent while idle, and how much more at the busiest time. */
  readonly idle: number;
  readonly busy: number;
  /** Typical traffic in kilobytes per second. */
  readonly traffic: number;
  readonly isWireless: boolean;
  readonly hasBattery: boolean;
}

const loads: Readonly<Record<DevicePlan['type'], Load>> = {
  kiosk: { idle: 9, busy: 38, traffic: 60, isWireless: false, hasBattery: false },
  terminal: { idle: 6, busy: 29, traffic: 14, isWireless: true, hasBattery: true },
  gateway: { idle: 14, busy: 22, traffic: 240, isWireless: false, hasBattery: false },
  display: { idle: 24, busy: 18, traffic: 420, isWireless: false, hasBattery: false },
  'sensor-hub': { idle: 5, busy: 7, traffic: 3, isWireless: true, hasBattery: true },
  locker: { idle: 7, busy: 19, traffic: 9, isWireless: false, hasBattery: false },
};

interface Moment {
  readonly plan: DevicePlan;
  readonly health: DeviceHealth;
  readonly timeMs: number;
  /** Whether the faults of its health have begun. */
  readonly isFaulty: boolean;
}

export function simulateMetrics({ plan, health, timeMs, isFaulty }: Moment): MetricValues {
  const load = loads[plan.type];
  const noise = (name: string): number => noiseOf(plan, name, timeMs);
  const day = dayShare(plan, timeMs);
  const crashing = isFaulty && health.crashing !== null;
  const cpu = load.idle + load.busy * day + 6 * noise('cpu') + (crashing ? 27 : 0);
  const loss = isFaulty ? health.lossPercent : 0;
  const cores = modelOf(plan).memoryMegabytes >= 4_096 ? 4 : 2;
  const traffic = load.traffic * (0.15 + day) * (1 + 0.5 * noise('traffic'));
  return {
    cpuUsedPercent: percent(cpu),
    loadAverage: Math.max(0.01, (cpu / 100) * cores * (1 + 0.2 * noise('load'))),
    memoryUsedPercent: percent(memoryOf({ health, timeMs, isFaulty }, day) + 2 * noise('memory')),
    swapUsedPercent: percent(isFaulty && health.leak ? 64 + 5 * noise('swap') : 3 + noise('swap')),
    diskUsedPercent: percent(
      isFaulty ? health.diskUsedPercent : Math.min(74, health.diskUsedPercent),
    ),
    temperatureCelsius: 31 + 0.28 * percent(cpu) + 4 * day + noise('temperature'),
    networkLatencyMs: Math.max(
      4,
      (load.isWireless ? 48 : 19) * (1 + 0.4 * noise('latency')) + 6 * loss,
    ),
    networkLossPercent: percent(loss * (1 + 0.4 * noise('loss'))),
    receivedKilobytesPerSecond: Math.max(0.1, traffic),
    sentKilobytesPerSecond: Math.max(0.1, traffic * 0.22),
    processRestarts: crashing ? 1 + Math.round(Math.abs(noise('restarts'))) : 0,
    clockOffsetMs: Math.round(
      (isFaulty ? health.clockOffsetSeconds * 1_000 : 0) + 12 * noise('clock'),
    ),
    ...(load.isWireless && { signalDbm: Math.round(-61 + 5 * noise('signal') - loss / 4) }),
    ...(load.hasBattery && { batteryPercent: percent(100 - 46 * day + 2 * noise('battery')) }),
  };
}

/** A leak fills the memory within hours and is visible as a slope. */
function memoryOf({ health, timeMs, isFaulty }: Omit<Moment, 'plan'>, day: number): number {
  const usual = health.memoryUsedPercent + 6 * day;
  if (!isFaulty || health.leak === null) return usual;
  const share = (timeMs % FAULT_BEGAN_MS) / FAULT_BEGAN_MS;
  return usual + (97 - usual) * Math.max(0.6, share);
}

/** 0 at night, 1 in the middle of the day, less at weekends. */
function dayShare(plan: DevicePlan, timeMs: number): number {
  const { weekday, minutes } = localTime(plan.timeZone, timeMs);
  const wave = Math.max(0, Math.sin(((minutes / 60 - 6) / 15) * Math.PI));
  return wave * (weekday === 'Sat' || weekday === 'Sun' ? 0.55 : 1);
}

/** Smooth between -1 and 1: interpolated between random values 20 minutes apart, and a little of each minute. */
function noiseOf({ serialNumber }: DevicePlan, name: string, timeMs: number): number {
  const seed = hashText(`${serialNumber}/${name}`);
  const at = (index: number): number => randomAt(seed, index) * 2 - 1;
  const slot = timeMs / (20 * MINUTE_MS);
  const first = Math.floor(slot);
  const share = slot - first;
  const slow = at(first) * (1 - share) + at(first + 1) * share;
  return 0.7 * slow + 0.3 * at(-Math.floor(timeMs / MINUTE_MS));
}

const percent = (value: number): number => Math.min(100, Math.max(0, value));

/** What the device measured on the days before; gaps while it was switched off. */
export function simulatePastMetrics(
  { plan, health }: Pick<Moment, 'plan' | 'health'>,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): MetricSample[] {
  const samples: MetricSample[] = [];
  const stepAt = (timeMs: number): number =>
    timeMs < nowMs - RECENT_MS ? PAST_EVERY_MS : MINUTE_MS;
  const startMs = Math.ceil((nowMs - days * DAY_MS) / PAST_EVERY_MS) * PAST_EVERY_MS;
  for (let timeMs = startMs; timeMs < nowMs - MINUTE_MS; timeMs += stepAt(timeMs)) {
    // A bad connection does not switch the device off.
    if (plan.rhythm !== 'flaky' && !isAwake(plan, timeMs)) continue;
    const isFaulty = timeMs > nowMs - FAULT_BEGAN_MS;
    const values = simulateMetrics({ plan, health, timeMs, isFaulty });
    samples.push({ at: Math.round(timeMs / 1_000), values });
  }
  return samples;
}
