import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  invocationState,
  isFinal,
  type InvocationState,
  type StatusDetails,
} from '@deviceportal/contract/states';
import { freePlaces, isStopped, limitOf, canFollow, outcomeOf } from './run-state-machine.ts';

const states = Object.keys(invocationState) as InvocationState[];
const ends: StatusDetails[] = [
  'Success',
  'Failed',
  'Cancelled',
  'Delivery Timed Out',
  'Execution Timed Out',
  'Undeliverable',
  'Terminated',
  'Invalid Platform',
  'Pre-check Failed',
  'Verify Failed',
  'Access Denied',
];
const counts = fc.dictionary(fc.constantFrom(...ends), fc.integer({ min: 0, max: 50 }));

describe('run state machine', () => {
  test('a final state never changes', () => {
    for (const from of states.filter(isFinal))
      for (const to of states) expect(canFollow(from, to)).toBe(false);
  });

  test('maxErrors is the number of allowed errors: with 3, the fourth stops the run', () => {
    expect(isStopped({ Failed: 2, 'Execution Timed Out': 1 }, '3', 100)).toBe(false);
    expect(isStopped({ Failed: 3, 'Execution Timed Out': 1 }, '3', 100)).toBe(true);
    expect(isStopped({ Failed: 10 }, '10%', 100)).toBe(false);
    expect(isStopped({ Failed: 11 }, '10%', 100)).toBe(true);
  });

  test('only failures, in any phase, and Execution Timed Out count as errors', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const failures = { Failed: 0, 'Pre-check Failed': 0, 'Verify Failed': 0 };
        const harmless = { ...given, ...failures, 'Execution Timed Out': 0 };
        expect(isStopped(harmless, '0', 1_000)).toBe(false);
      }),
    );
  });

  test('concurrency and ramp limit the invocations in progress, with a minimum of one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 1, max: 500 }).map(String),
          fc.integer({ min: 1, max: 99 }).map((n) => `${n}%`),
        ),
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        (maxConcurrency, targetCount, rampLimit, inProgressCount) => {
          const free = freePlaces({ maxConcurrency, targetCount, rampLimit, inProgressCount });
          const limit = Math.min(limitOf(maxConcurrency, targetCount, 1), rampLimit);
          expect(free).toBe(Math.max(0, limit - inProgressCount));
          expect(free > 0 || inProgressCount > 0).toBe(true);
        },
      ),
    );
  });

  test('100% means no limit and no ramp', () => {
    const run = { maxConcurrency: '100%', targetCount: 5_000, rampLimit: 1, inProgressCount: 0 };
    expect(freePlaces(run)).toBe(5_000);
    expect(freePlaces({ ...run, inProgressCount: 1_000 })).toBe(4_000);
    expect(freePlaces({ ...run, maxConcurrency: '5000' })).toBe(1);
  });

  test('the end of a run is final and is Success only if all invocations succeeded', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom('0', '3', '50%'), (given, maxErrors) => {
        const { state } = outcomeOf(given, maxErrors);
        expect(isFinal(state)).toBe(true);
        const total = Object.values(given).reduce((sum, count) => sum + (count ?? 0), 0);
        expect(state === 'Success').toBe((given.Success ?? 0) === total);
      }),
    );
  });

  test('a run whose targets were never reached is Failed', () => {
    expect(outcomeOf({ Undeliverable: 2, 'Invalid Platform': 1 }, '0').state).toBe('Failed');
    expect(outcomeOf({ 'Access Denied': 4 }, '0')).toEqual({
      state: 'Failed',
      statusDetails: 'Access Denied',
    });
    expect(outcomeOf({ 'Delivery Timed Out': 4 }, '0')).toEqual({
      state: 'TimedOut',
      statusDetails: 'Delivery Timed Out',
    });
    expect(outcomeOf({ Success: 3, 'Delivery Timed Out': 1 }, '0').statusDetails).toBe(
      'Incomplete',
    );
  });
});
