import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isOpen,
  nextAlertState,
  type AlertLimits,
  type AlertState,
  type AlertStep,
} from './alert-state-machine.ts';

const MINUTE_MS = 60_000;
const start = new Date('2026-11-20T12:00:00Z');

/** One value per minute; null: the rule is muted at that time. */
function run(limits: AlertLimits, values: readonly (number | null)[], above = 100): AlertStep[] {
  const steps: AlertStep[] = [];
  let state: AlertState = { phase: 'ok', since: start };
  for (const [minute, value] of values.entries()) {
    const at = new Date(start.getTime() + minute * MINUTE_MS);
    const step = nextAlertState(state, limits, {
      ...{ value: value ?? above, at, isMuted: value === null },
    });
    steps.push(step);
    state = step;
  }
  return steps;
}

const changes = (steps: readonly AlertStep[]) => steps.flatMap(({ change }) => change ?? []);

const limits = fc
  .record({
    above: fc.integer({ min: 0, max: 20 }),
    band: fc.integer({ min: 0, max: 10 }),
    holdMinutes: fc.integer({ min: 0, max: 5 }),
    resolveMinutes: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ band, ...rest }) => ({ ...rest, resolveAt: Math.max(0, rest.above - band) }));
const values = fc.array(fc.option(fc.integer({ min: 0, max: 30 }), { freq: 8 }), { maxLength: 60 });

describe('the state of an alert rule', () => {
  test('starts and ends alternate, and each follows from the state before and after it', () => {
    fc.assert(
      fc.property(limits, values, (rule, given) => {
        const steps = run(rule, given);
        expect(changes(steps)).toEqual(
          changes(steps).map((_, index) => (index % 2 === 0 ? 'fire' : 'resolve')),
        );
        let wasOpen = false;
        for (const { phase, change } of steps) {
          const opened = isOpen(phase) && !wasOpen ? 'fire' : null;
          const ended = !isOpen(phase) && wasOpen ? 'resolve' : null;
          expect(change).toBe(opened ?? ended);
          wasOpen = isOpen(phase);
        }
      }),
    );
  });

  test('a value that stays between the limits neither fires nor resolves', () => {
    fc.assert(
      fc.property(limits, values, fc.boolean(), (rule, given, fires) => {
        const between = given.map((value) =>
          rule.resolveAt < rule.above
            ? rule.resolveAt + 1 + ((value ?? 0) % (rule.above - rule.resolveAt))
            : rule.above,
        );
        fc.pre(rule.resolveAt < rule.above);
        const before = Array.from({ length: rule.holdMinutes + 1 }, () => rule.above + 1);
        const steps = run(rule, fires ? [...before, ...between] : between);
        expect(changes(steps)).toEqual(fires ? ['fire'] : []);
      }),
    );
  });

  test('it fires only after the whole time above the threshold, without an interruption', () => {
    const rule = { above: 3, resolveAt: 3, holdMinutes: 3, resolveMinutes: 0 };
    expect(changes(run(rule, [4, 4, 4]))).toEqual([]);
    expect(changes(run(rule, [4, 4, 4, 4]))).toEqual(['fire']);
    expect(changes(run(rule, [4, 4, 3, 4, 4, 4]))).toEqual([]);
  });

  test('a short recovery does not resolve it', () => {
    const rule = { above: 3, resolveAt: 1, holdMinutes: 0, resolveMinutes: 2 };
    expect(changes(run(rule, [4, 1, 1, 4, 1, 1]))).toEqual(['fire']);
    expect(changes(run(rule, [4, 1, 1, 1]))).toEqual(['fire', 'resolve']);
  });

  test('a muted rule does not fire, and a firing one resolves', () => {
    const rule = { above: 3, resolveAt: 3, holdMinutes: 0, resolveMinutes: 0 };
    expect(changes(run(rule, [null, null]))).toEqual([]);
    expect(changes(run(rule, [null, 4]))).toEqual(['fire']);
    expect(changes(run(rule, [4, null, 3]))).toEqual(['fire', 'resolve']);
    expect(changes(run(rule, [4, null], 0))).toEqual(['fire', 'resolve']);
  });
});
