import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activityOf, drivers, type Activity } from './activity.ts';
import { costsAt } from './costs-at.ts';
import { fitUnitCosts, usageFor, type Sample, type UnitCosts } from './unit-costs.ts';
import { quantityNames, usageOf } from './usage.ts';

const amount = fc.double({ min: 0, max: 1_000, noNaN: true });
const activities = fc
  .tuple(...drivers.map(() => amount))
  .map((amounts) => activityOf(Object.fromEntries(drivers.map((name, at) => [name, amounts[at]]))));
const unitCosts = fc
  .tuple(...drivers.map(() => fc.double({ min: 1, max: 1_000, noNaN: true })))
  .map(
    (amounts) =>
      Object.fromEntries(
        drivers.map((driver, at) => [
          driver,
          usageOf((quantity) => (costsAt(driver, quantity) ? (amounts[at] ?? 0) : 0)),
        ]),
      ) as unknown as UnitCosts,
  );

const sumOf = (one: Activity, other: Activity): Activity =>
  activityOf(Object.fromEntries(drivers.map((name) => [name, one[name] + other[name]])));

describe('what an activity uses', () => {
  it('is the sum of what its parts use', () => {
    fc.assert(
      fc.property(activities, activities, unitCosts, (one, other, costs) => {
        const together = usageFor(sumOf(one, other), costs);
        for (const name of quantityNames)
          expect(together[name]).toBeCloseTo(
            usageFor(one, costs)[name] + usageFor(other, costs)[name],
            3,
          );
      }),
    );
  });

  it('is nothing when nothing happens', () => {
    fc.assert(
      fc.property(unitCosts, (costs) => {
        expect(usageFor(activityOf({}), costs)).toEqual(usageOf(() => 0));
      }),
    );
  });
});

describe('unit costs from samples', () => {
  /** One sample for each driver, in all of which a second passes as well. */
  const samplesOf = (costs: UnitCosts, isPublished = false): Sample[] =>
    drivers.map((driver) => {
      const activity = activityOf({ second: 60, [driver]: 10_000 });
      return { name: driver, activity, used: usageFor(activity, costs), isPublished };
    });

  it('are the ones with which the samples were made', () => {
    fc.assert(
      fc.property(unitCosts, (costs) => {
        const found = fitUnitCosts(samplesOf(costs));
        for (const driver of drivers)
          for (const name of quantityNames)
            expect(found[driver][name]).toBeCloseTo(costs[driver][name], 1);
      }),
      { numRuns: 5 },
    );
  });

  it('are never negative, whatever was measured', () => {
    const measured = fc.array(amount, {
      minLength: drivers.length,
      maxLength: drivers.length,
    });
    fc.assert(
      fc.property(measured, activities, (used, activity) => {
        const samples = used.map((value, at) => ({
          ...{ name: String(at), isPublished: false, used: usageOf(() => value) },
          activity: activityOf({ ...activity, [drivers[at] ?? 'second']: 0 }),
        }));
        for (const usage of Object.values(fitUnitCosts(samples)))
          for (const cost of Object.values(usage)) expect(cost).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 15 },
    );
  });

  it('of the broker do not come from messages that were published for others', () => {
    fc.assert(
      fc.property(unitCosts, (costs) => {
        const found = fitUnitCosts(samplesOf(costs, true));
        for (const driver of drivers) expect(found[driver].brokerCpuMs).toBe(0);
        expect(found.event.walBytes).toBeCloseTo(costs.event.walBytes, 1);
      }),
      { numRuns: 5 },
    );
  });
});
