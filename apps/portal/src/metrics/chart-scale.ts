import type { MetricSeries } from '@deviceportal/contract/device-metrics';

/** A chart is drawn in these units and stretched to its place. */
export const CHART_WIDTH = 1_000;
export const CHART_HEIGHT = 120;

export interface ValueScale {
  readonly from: number;
  readonly to: number;
  /** Marked on the axis. */
  readonly ticks: readonly number[];
}

const TICKS = 3;
/** Above this, a metric in percent is drawn from 0 to 100, so that charts compare. */
const WIDE_PERCENT = 20;

/** Round limits that include all values. Percentages end at 100. */
export function valueScale(
  { min, max }: Pick<MetricSeries, 'min' | 'max'>,
  isPercent: boolean,
): ValueScale {
  const values = [...min, ...max].filter((value) => value !== null);
  const least = values.length === 0 ? 0 : Math.min(...values);
  const most = values.length === 0 ? 1 : Math.max(...values);
  if (isPercent && most > WIDE_PERCENT) return { from: 0, to: 100, ticks: [0, 50, 100] };
  // A constant needs room of its own.
  if (most === least) return { from: least, to: least + 1, ticks: [least, least + 1] };
  const low = least >= 0 && least < most / 2 ? 0 : least;
  const step = roundStep(Math.max(most - low, Math.abs(most) / 100, 0.01) / TICKS);
  const from = Math.floor(low / step) * step;
  const count = Math.max(1, Math.ceil((most - from) / step));
  const ticks = Array.from({ length: count + 1 }, (_, index) => from + index * step);
  return { from, to: from + count * step, ticks };
}

/** 1, 2, or 5 times a power of ten, not smaller. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= step) ?? 10);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TIME_STEPS = [
  ...[SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS],
  ...[DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS],
];

/** At most so many times within the range, on round local times. */
export function timeTicks(fromMs: number, toMs: number, most: number): readonly number[] {
  const step = TIME_STEPS.find((each) => (toMs - fromMs) / each <= most) ?? toMs - fromMs;
  const zoneMs = new Date(fromMs).getTimezoneOffset() * MINUTE_MS;
  const first = Math.ceil((fromMs - zoneMs) / step) * step + zoneMs;
  const ticks: number[] = [];
  for (let at = first; at <= toMs && ticks.length <= most; at += step) ticks.push(at);
  return ticks;
}

/** Formats the marks of a time axis; days only where the marks are that far apart. */
export function tickFormat(language: string, fromMs: number, toMs: number): Intl.DateTimeFormat {
  const spanMs = toMs - fromMs;
  if (spanMs > 4 * DAY_MS)
    return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  if (spanMs > DAY_MS) return new Intl.DateTimeFormat(language, { weekday: 'short', ...time });
  return new Intl.DateTimeFormat(language, {
    ...time,
    ...(spanMs < 5 * MINUTE_MS && { second: '2-digit' }),
  });
}
