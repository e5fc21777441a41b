import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packageVersionRank } from './package-version-rank.ts';

/** From the oldest to the newest, as ordered by `dpkg --compare-versions`. */
const ordered = [
  '0.9~~',
  '0.9~rc1',
  '0.9',
  '0.9a',
  '0.9.1',
  '0.10-1~bpo1',
  '0.10-1',
  '0.10-1+b1',
  '0.10-2',
  '1.1.1w-0+deb11u2',
  '3.0.9-1',
  '3.0.11-1~deb12u2',
  '3.0.13',
  '3.0.13-1~deb12u1',
  '3.0.15-1~deb12u1',
  '20230311',
  '1:0.1',
  '2:2.9.0-21+deb11u2',
  '10:0',
];

test('sorts versions as the package manager does', () => {
  const byRank = (one: string, other: string) =>
    packageVersionRank(one) < packageVersionRank(other) ? -1 : 1;
  expect(ordered.toReversed().toSorted(byRank)).toEqual(ordered);
});

test('gives versions that the package manager treats as equal the same rank', () => {
  for (const [one, other] of [
    ['1.0', '1.00'],
    ['1.0', '0:1.0'],
    ['1.0', '1.0-0'],
    ['1a', '1a0'],
    ['0', '00'],
  ] as const) {
    expect(packageVersionRank(one)).toBe(packageVersionRank(other));
  }
});

test('sorts a tilde before the end, and everything else after it', () => {
  const part = fc.stringMatching(/^[0-9A-Za-z.+]{1,12}$/);
  fc.assert(
    fc.property(part, part, (version, more) => {
      const rank = packageVersionRank(version);
      expect(packageVersionRank(`${version}~${more}`) < rank).toBe(true);
      expect(packageVersionRank(`${version}.${more}`) > rank).toBe(true);
    }),
    { examples: [['0', '0']], numRuns: 500 },
  );
});
