import {
  metricDefinitions,
  metricNames,
  type MetricDefinition,
  type MetricName,
  type MetricValues,
} from '@deviceportal/contract/device-metrics';
import type { MetricBlock } from './metric-block.ts';

/** Values of one moment. */
export interface MetricSample {
  /** Seconds since 1970. */
  readonly at: number;
  readonly values: MetricValues;
}

const definitionOf = (name: MetricName): MetricDefinition => metricDefinitions[name];

/** The integer that represents a value; null for what is not a number or not possible. */
export function scaledValue(name: MetricName, value: number | undefined): number | null {
  const { decimals, min, max } = definitionOf(name);
  if (value === undefined || !(value >= min && value <= max)) return null;
  return Math.round(value * 10 ** decimals);
}

export const unscaledValue = (name: MetricName, scaled: number): number =>
  scaled / 10 ** definitionOf(name).decimals;

export function blockOf({ at, values }: MetricSample): MetricBlock {
  const columns = new Map<number, readonly (number | null)[]>();
  for (const name of metricNames) {
    const scaled = scaledValue(name, values[name]);
    if (scaled !== null) columns.set(definitionOf(name).id, [scaled]);
  }
  return { times: [Math.round(at)], columns };
}

const limits = new Map(
  metricNames.map((name) => {
    const { id, decimals, min, max } = definitionOf(name);
    return [id, { min: min * 10 ** decimals, max: max * 10 ** decimals }];
  }),
);

/** Without metrics that this release does not know, and without values that are not possible. */
export function possibleValues({ times, columns }: MetricBlock): MetricBlock {
  const kept = new Map<number, readonly (number | null)[]>();
  for (const [id, values] of columns) {
    const limit = limits.get(id);
    if (limit === undefined) continue;
    const isPossible = (value: number | null): boolean =>
      value === null || (value >= limit.min && value <= limit.max);
    kept.set(
      id,
      values.every(isPossible) ? values : values.map((value) => (isPossible(value) ? value : null)),
    );
  }
  return { times, columns: kept };
}
