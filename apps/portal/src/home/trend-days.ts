import type { FleetTrend } from '@deviceportal/contract/findings';
import type { RunTrend } from '@deviceportal/contract/runs';

/** One day of the trends, in UTC. Null if it was not recorded. */
export interface TrendDay {
  /** `2026-11-20`. */
  readonly day: string;
  /** Shares of devices, from 0 to 1. */
  readonly online: number | null;
  readonly withFindings: number | null;
  /** Numbers of devices on which runs succeeded or failed. */
  readonly succeeded: number;
  readonly failed: number;
}

type FleetPoint = NonNullable<FleetTrend['points']>[number];

const NOON = 12;
const dayOf = ({ at }: FleetPoint): string => new Date(at).toISOString().slice(0, 10);
const hoursFromNoon = ({ at }: FleetPoint): number => Math.abs(new Date(at).getUTCHours() - NOON);

/**
 * The trends by day, newest first. A past day has the state at noon or nearest to it, which is kept
 * for the whole range; the newest day has its latest state.
 */
export function trendDays(fleet: FleetTrend['points'], runs: RunTrend['days']): TrendDay[] {
  const byDay = Map.groupBy(
    (fleet ?? []).filter(({ devices }) => devices > 0),
    dayOf,
  );
  const results = new Map((runs ?? []).map((one) => [one.day, one]));
  const days = [...new Set([...byDay.keys(), ...results.keys()])].toSorted().toReversed();
  return days.map((day, index) => {
    const points = byDay.get(day) ?? [];
    const point =
      index === 0
        ? points.at(-1)
        : points.toSorted((a, b) => hoursFromNoon(a) - hoursFromNoon(b))[0];
    const share = (of: 'online' | 'withFindings'): number | null =>
      point === undefined ? null : point[of] / point.devices;
    const { succeeded = 0, failed = 0 } = results.get(day) ?? {};
    return { day, online: share('online'), withFindings: share('withFindings'), succeeded, failed };
  });
}
