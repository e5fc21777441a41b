import fc from 'fast-check';
import { expect, test } from 'vitest';
import { similarDeviceFactKinds } from '@deviceportal/contract/similar-devices';
import { rankDifferences, type FactCount } from './rank-differences.ts';

const FAULTY_SINCE = new Date('2026-11-20T12:00:00Z');
const count = (of: Partial<FactCount>): FactCount => ({
  kind: 'software',
  name: 'firmware',
  value: '1.0.0',
  healthy: 0,
  faulty: 0,
  anyHealthy: 0,
  anyFaulty: 0,
  own: false,
  since: null,
  ...of,
});
/** The list contains all counted values. */
const whole = (counts: readonly FactCount[]): FactCount[] =>
  counts.map((each) => {
    const same = counts.filter(({ kind, name }) => kind === each.kind && name === each.name);
    const sum = (part: 'healthy' | 'faulty') => same.reduce((all, one) => all + one[part], 0);
    return { ...each, anyHealthy: sum('healthy'), anyFaulty: sum('faulty') };
  });
const cohorts = { healthy: 100, faulty: 20, faultySince: FAULTY_SINCE };

test('reports no difference for a value that most healthy devices share', () => {
  expect(rankDifferences(whole([count({ healthy: 60, own: true })]), cohorts)).toEqual([]);
});

test('reports nothing where healthy devices have no usual value', () => {
  const counts = [
    count({ value: '1', healthy: 40 }),
    count({ value: '2', healthy: 40 }),
    count({ value: '3', healthy: 1, own: true }),
  ];
  expect(rankDifferences(whole(counts), cohorts)).toEqual([]);
});

test('reports a rare value with the usual one and the share of devices that have it', () => {
  const counts = [
    count({ value: '4.17.9', healthy: 96, faulty: 1 }),
    count({ value: '4.18.1', healthy: 2, faulty: 18, own: true, since: FAULTY_SINCE }),
  ];
  expect(rankDifferences(whole(counts), cohorts)).toEqual([
    {
      kind: 'software',
      name: 'firmware',
      own: '4.18.1',
      usual: '4.17.9',
      usualShare: 0.96,
      sameShare: 0.02,
      faultyShare: 0.9,
      since: FAULTY_SINCE.toISOString(),
      changedBeforeFinding: true,
    },
  ]);
});

test('reports a missing value as missing, and a value of this device only as such', () => {
  const counts = [
    count({ kind: 'package', name: 'chrony', value: '4.5', healthy: 99 }),
    count({ kind: 'label', name: 'pilot', value: 'yes', healthy: 1, own: true }),
  ];
  expect(rankDifferences(whole(counts), cohorts)).toMatchObject([
    { name: 'chrony', own: null, usual: '4.5', sameShare: 0.01 },
    { name: 'pilot', own: 'yes', usual: null, sameShare: 0.01 },
  ]);
});

test('ranks values that appeared shortly before the finding, or that other affected devices share, first', () => {
  const odd = (name: string, of: Partial<FactCount>) => [
    count({ name, value: 'usual', healthy: 98 }),
    count({ name, value: 'odd', healthy: 2, own: true, ...of }),
  ];
  const hoursBefore = (hours: number) => new Date(FAULTY_SINCE.getTime() - hours * 3_600_000);
  const counts = [
    ...odd('old', { since: hoursBefore(1_000) }),
    ...odd('shared', { faulty: 20, since: hoursBefore(1_000) }),
    ...odd('fresh', { faulty: 20, since: hoursBefore(2) }),
  ];
  expect(rankDifferences(whole(counts), cohorts).map(({ name }) => name)).toEqual([
    'fresh',
    'shared',
    'old',
  ]);
});

test('returns valid shares and never the usual value as a difference, for any counts', () => {
  const counts = fc.array(
    fc.record({
      kind: fc.constantFrom(...similarDeviceFactKinds),
      name: fc.constantFrom('', 'a', 'b'),
      value: fc.constantFrom('1', '2', '3'),
      healthy: fc.nat(50),
      faulty: fc.nat(9),
      anyHealthy: fc.nat(60),
      anyFaulty: fc.nat(9),
      own: fc.boolean(),
      since: fc.constantFrom(null, FAULTY_SINCE),
    }),
  );
  fc.assert(
    fc.property(counts, fc.integer({ min: 50, max: 60 }), (facts, healthy) => {
      for (const each of rankDifferences(facts, {
        healthy,
        faulty: 9,
        faultySince: FAULTY_SINCE,
      })) {
        expect(each.own).not.toBe(each.usual);
        for (const share of [each.usualShare, each.sameShare, each.faultyShare ?? 0]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }
    }),
  );
});
