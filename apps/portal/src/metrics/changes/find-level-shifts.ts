/**
 * Level shifts of a series: binary segmentation with a penalty for each segment (Scott and Knott,
 * 1974), of which only shifts remain that are abrupt and larger than the noise. Slopes, daily
 * rhythms, and single outliers are no shifts.
 */

export interface LevelShift {
  /** The first point at the new level. */
  readonly index: number;
  /** Median of the level before, and of the new one. */
  readonly before: number;
  readonly after: number;
  /** Multiple of the noise. */
  readonly strength: number;
}

export interface ShiftLimits {
  /** Smaller shifts are not of interest, however steady the series is. */
  readonly leastShift: number;
  /** A level has at least so many points. More than a day of them ignores what repeats every day. */
  readonly leastPoints: number;
}

/** Squared error, in variances of the noise and per logarithm of the points, that a segment must save. */
const PENALTY = 6;
const LEAST_NOISE_MULTIPLE = 3;
/** Compared with the change over equally many points before and after it. */
const LEAST_ABRUPTNESS = 2;
/** Of the difference between the levels, the part that happens at once. */
const LEAST_PART = 0.5;

/** @param values null where nothing was measured */
export function findLevelShifts(
  values: readonly (number | null)[],
  limits: ShiftLimits,
): readonly LevelShift[] {
  const places: number[] = [];
  const known: number[] = [];
  for (const [index, value] of values.entries())
    if (value !== null) {
      places.push(index);
      known.push(value);
    }
  const noise = Math.max(noiseOfDifferences(known), limits.leastShift / LEAST_NOISE_MULTIPLE);
  let splits = segment(known, {
    penalty: PENALTY * noise ** 2 * Math.log(Math.max(2, known.length)),
    leastPoints: limits.leastPoints,
  });
  for (;;) {
    const shifts = shiftsAt(known, splits, limits);
    const kept = splits.filter((_split, index) => shifts[index] !== undefined);
    if (kept.length === splits.length)
      return shifts.flatMap((shift) =>
        shift === undefined ? [] : [{ ...shift, index: places[shift.index] ?? 0 }],
      );
    splits = withoutWeakest(known, { splits, shifts, points: limits.leastPoints });
  }
}

/** The first point of each segment but the first. */
function segment(
  values: readonly number[],
  { penalty, leastPoints }: { readonly penalty: number; readonly leastPoints: number },
): readonly number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  const splits: number[] = [];
  const open: (readonly [number, number])[] = [[0, values.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    const { at, saved } = bestSplit(sums, { from, to, leastPoints });
    if (at === undefined || saved <= penalty) continue;
    splits.push(at);
    open.push([from, at], [at, to]);
  }
  return splits.toSorted((one, other) => one - other);
}

/** Where two means instead of one save most of the squared error. */
function bestSplit(
  sums: readonly number[],
  {
    from,
    to,
    leastPoints,
  }: { readonly from: number; readonly to: number; readonly leastPoints: number },
): { readonly at: number | undefined; readonly saved: number } {
  let at: number | undefined;
  let saved = 0;
  const meanOf = (start: number, end: number): number =>
    ((sums[end] ?? 0) - (sums[start] ?? 0)) / (end - start);
  for (let split = from + leastPoints; split <= to - leastPoints; split += 1) {
    const weight = ((split - from) * (to - split)) / (to - from);
    const gain = weight * (meanOf(from, split) - meanOf(split, to)) ** 2;
    if (gain > saved) [at, saved] = [split, gain];
  }
  return { at, saved };
}

/** For each split the shift, with its place among the values; undefined if it is none. */
function shiftsAt(
  values: readonly number[],
  splits: readonly number[],
  { leastShift, leastPoints }: ShiftLimits,
): readonly (LevelShift | undefined)[] {
  const bounds = [0, ...splits, values.length];
  const levels = bounds.slice(1).map((to, index) => median(values.slice(bounds[index], to)));
  const residuals = values.map((value, index) => {
    const place = bounds.findLastIndex((from) => from <= index);
    return Math.abs(value - (levels[place] ?? value));
  });
  const noise = MEDIAN_DEVIATIONS * median(residuals);
  return splits.map((index, place) => {
    const [before = 0, after = 0] = [levels[place], levels[place + 1]];
    const jump = jumpAt(values, index, leastPoints);
    const direction = Math.sign(after - before);
    const size = direction * jump;
    const drift = Math.max(
      direction * jumpAt(values, index - leastPoints, leastPoints),
      direction * jumpAt(values, index + leastPoints, leastPoints),
    );
    const isShift =
      Math.abs(after - before) >= leastShift &&
      size >= Math.max(leastShift, LEAST_NOISE_MULTIPLE * noise) &&
      size >= LEAST_PART * Math.abs(after - before) &&
      size >= LEAST_ABRUPTNESS * drift;
    return isShift
      ? { index, before, after, strength: size / Math.max(noise, leastShift) }
      : undefined;
  });
}

/** From the median of the points before to that of as many points from the place on; 0 at the ends. */
function jumpAt(values: readonly number[], index: number, points: number): number {
  if (index < points || index > values.length - points) return 0;
  return median(values.slice(index, index + points)) - median(values.slice(index - points, index));
}

/** Without the smallest of those that are no shifts: the levels next to it become one. */
function withoutWeakest(
  values: readonly number[],
  {
    splits,
    shifts,
    points,
  }: {
    readonly splits: readonly number[];
    readonly shifts: readonly (LevelShift | undefined)[];
    readonly points: number;
  },
): readonly number[] {
  const candidates = splits.filter((_split, index) => shifts[index] === undefined);
  const weakest = candidates.reduce((best, split) =>
    Math.abs(jumpAt(values, split, points)) < Math.abs(jumpAt(values, best, points)) ? split : best,
  );
  return splits.filter((split) => split !== weakest);
}

/** Standard deviations per median absolute deviation of a normal distribution. */
const MEDIAN_DEVIATIONS = 1.4826;

/** Standard deviation of independent noise, from the differences between neighbors, which shifts hardly change. */
function noiseOfDifferences(values: readonly number[]): number {
  const differences = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0)));
  return (MEDIAN_DEVIATIONS / Math.SQRT2) * median(differences);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
