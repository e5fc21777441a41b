/** The time range of the charts: the last hours or days, or a part chosen on a chart. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

const metricRanges = ['1d', '1h', '6h', '7d', '30d', '1y'] as const;
export type MetricRangeName = (typeof metricRanges)[number];

const lengths: Readonly<Record<MetricRangeName, number>> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '1y': 365 * DAY_MS,
};

export const rangesByLength: readonly MetricRangeName[] = metricRanges.toSorted(
  (one, other) => lengths[one] - lengths[other],
);

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Shorter parts would show single samples. */
const LEAST_MS = 5 * MINUTE_MS;
const MOST_MS = 3_650 * DAY_MS;

/** Ends with the current minute, so that the same range is asked for only once a minute. */
export function spanOf(name: MetricRangeName, nowMs: number): TimeSpan {
  const toMs = Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS;
  return { fromMs: toMs - lengths[name], toMs };
}

/** The part in the address; undefined if there is none or it is not valid. */
export function zoomedSpan(from: string, to: string): TimeSpan | undefined {
  const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  const lengthMs = span.toMs - span.fromMs;
  return lengthMs >= LEAST_MS && lengthMs <= MOST_MS ? span : undefined;
}

const BAND_STEPS = 96;
const BAND_STEP_MS = 5 * MINUTE_MS;

/** Whole intervals of a model's band, so that the same ones are asked for until the next begins. */
export function bandSpan({ fromMs, toMs }: TimeSpan): TimeSpan {
  const stepMs = BAND_STEP_MS * Math.ceil((toMs - fromMs) / BAND_STEPS / BAND_STEP_MS);
  return {
    fromMs: Math.floor(fromMs / stepMs) * stepMs,
    toMs: Math.ceil(toMs / stepMs) * stepMs,
  };
}

/** A part of at least the least length, around its middle. */
export function wideEnough({ fromMs, toMs }: TimeSpan): TimeSpan {
  const missing = Math.max(0, LEAST_MS - (toMs - fromMs));
  return { fromMs: fromMs - missing / 2, toMs: toMs + missing / 2 };
}

/** Half or twice as long around the middle, but not after the given time. */
export function scaleSpan({ fromMs, toMs }: TimeSpan, factor: number, latestMs: number): TimeSpan {
  const half = ((toMs - fromMs) * factor) / 2;
  const middle = (fromMs + toMs) / 2;
  const end = Math.min(middle + half, latestMs);
  return wideEnough({ fromMs: end - 2 * half, toMs: end });
}

/** Moves by half of its length, but not after the given time. */
export function moveSpan(
  { fromMs, toMs }: TimeSpan,
  direction: 1 | -1,
  latestMs: number,
): TimeSpan {
  const lengthMs = toMs - fromMs;
  const end = Math.min(toMs + (direction * lengthMs) / 2, Math.max(latestMs, toMs));
  return { fromMs: end - lengthMs, toMs: end };
}
