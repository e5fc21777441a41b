import { drivers, type Activity, type Driver } from './activity.ts';
import { costsAt } from './costs-at.ts';
import { solveNonNegative } from './solve-non-negative.ts';
import { brokerQuantities, usageOf, type Quantity, type Usage } from './usage.ts';

/** What each driver costs once. */
export type UnitCosts = Readonly<Record<Driver, Usage>>;

/** What was used while something happened. */
export interface Sample {
  readonly name: string;
  readonly activity: Activity;
  readonly used: Usage;
  /** Messages came from a client that stands for many devices, so that the broker had other work. */
  readonly isPublished: boolean;
}

/** The unit costs with which the samples are explained best. None is negative. */
export function fitUnitCosts(samples: readonly Sample[]): UnitCosts {
  const costs = Object.fromEntries(drivers.map((driver) => [driver, new Map<Quantity, number>()]));
  usageOf((quantity) => {
    const own = drivers.filter((driver) => costsAt(driver, quantity));
    const usable = samples.filter(
      ({ isPublished }) => !isPublished || !brokerQuantities.has(quantity),
    );
    const weights = usable.map(({ used }) => 1 / uncertaintyOf(quantity, used[quantity]));
    const solution = solveNonNegative(
      usable.map(({ activity }, at) => own.map((driver) => activity[driver] * (weights[at] ?? 0))),
      usable.map(({ used }, at) => used[quantity] * (weights[at] ?? 0)),
    );
    for (const [at, driver] of own.entries()) costs[driver]?.set(quantity, solution[at] ?? 0);
    return 0;
  });
  return Object.fromEntries(
    drivers.map((driver) => [driver, usageOf((quantity) => costs[driver]?.get(quantity) ?? 0)]),
  ) as Record<Driver, Usage>;
}

/** How exactly something was measured: relative to its amount, so that a long or busy sample does not count more. */
const SHARE = 0.02;
const STEPS = { CpuMs: 20, Bytes: 100_000, other: 10 } as const;

function uncertaintyOf(quantity: Quantity, used: number): number {
  const step = quantity.endsWith('CpuMs')
    ? STEPS.CpuMs
    : quantity.includes('ytes')
      ? STEPS.Bytes
      : STEPS.other;
  return Math.hypot(SHARE * used, step);
}

/** What an activity uses: the sum of its parts. */
export const usageFor = (activity: Activity, costs: UnitCosts): Usage =>
  usageOf((quantity) =>
    drivers.reduce((sum, driver) => sum + activity[driver] * costs[driver][quantity], 0),
  );
