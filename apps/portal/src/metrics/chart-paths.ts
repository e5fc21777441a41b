import type { MetricSeries } from '@deviceportal/contract/device-metrics';
import { CHART_HEIGHT, CHART_WIDTH, type ValueScale } from './chart-scale.ts';

interface Frame {
  readonly fromMs: number;
  readonly toMs: number;
  readonly scale: ValueScale;
}

export const xOf = (atMs: number, { fromMs, toMs }: Pick<Frame, 'fromMs' | 'toMs'>): number =>
  ((atMs - fromMs) / (toMs - fromMs)) * CHART_WIDTH;

export const yOf = (value: number, { from, to }: ValueScale): number =>
  CHART_HEIGHT - ((value - from) / (to - from)) * CHART_HEIGHT;

/**
 * The line of the means and the area between minimum and maximum, as SVG paths. A point without a
 * value interrupts both.
 */
export function chartPaths(
  times: readonly number[],
  { mean, min, max }: Pick<MetricSeries, 'mean' | 'min' | 'max'>,
  frame: Frame,
): { readonly line: string; readonly area: string } {
  const line: string[] = [];
  const area: string[] = [];
  for (const run of runsOf(mean)) {
    const point = (index: number, value: number | null | undefined): string =>
      `${short(xOf(times[index] ?? 0, frame))} ${short(yOf(value ?? 0, frame.scale))}`;
    const forward = run.map((index) => point(index, mean[index]));
    // A single point is a dot.
    line.push(`M${forward.join('L')}${forward.length === 1 ? 'h0.01' : ''}`);
    const upper = run.map((index) => point(index, max[index]));
    const lower = run.toReversed().map((index) => point(index, min[index]));
    area.push(`M${[...upper, ...lower].join('L')}Z`);
  }
  return { line: line.join(''), area: area.join('') };
}

const short = (value: number): string => String(Math.round(value * 10) / 10);

/** Indexes of consecutive points with values. */
function runsOf(values: readonly (number | null)[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let run: number[] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) run = undefined;
    else if (run === undefined) runs.push((run = [index]));
    else run.push(index);
  }
  return runs;
}

/** The point nearest to a time; undefined if there are none. */
export function nearestIndex(times: readonly number[], atMs: number): number | undefined {
  let best: number | undefined;
  for (const [index, time] of times.entries())
    if (best === undefined || Math.abs(time - atMs) < Math.abs((times[best] ?? 0) - atMs))
      best = index;
  return best;
}
