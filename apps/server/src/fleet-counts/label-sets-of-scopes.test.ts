import { expect, test } from 'vitest';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { labelSetsOfScopes } from './label-sets-of-scopes.ts';

const scope = (limits: Partial<Scope>): Scope => ({ ...everywhere, ...limits });
const setsOf = (...limits: Partial<Scope>[]) =>
  labelSetsOfScopes(limits.map(scope))?.map(({ labels, scopes }) => [labels, scopes.length]);

test('groups scopes by the labels that they require', () => {
  expect(
    setsOf(
      { countries: ['PL'], labels: { env: 'prod', site: 's1' } },
      { countries: ['DE'], labels: { site: 's1', env: 'prod' } },
    ),
  ).toEqual([[{ env: 'prod', site: 's1' }, 2]]);
});

test.each([
  ['country', { countries: ['PL'], labels: { env: 'prod' } }, { countries: ['DE'] }],
  ['model', { models: ['kiosk'], labels: { env: 'prod' } }, { models: ['meter'] }],
  ['value of a label', { labels: { env: 'prod' } }, { labels: { env: 'test', site: 's1' } }],
])('adds scopes that differ in the %s', (_, one, other) => {
  expect(setsOf(one, other)).toHaveLength(2);
});

test('adds no scopes that can contain the same device', () => {
  expect(setsOf({ labels: { env: 'prod' } }, { countries: ['DE'] })).toBeUndefined();
  expect(setsOf({ labels: { env: 'prod' } }, { labels: { site: 's1' } })).toBeUndefined();
});

test('an unlimited scope needs no other', () => {
  expect(setsOf({ labels: { env: 'prod' } }, {})).toEqual([[{}, 1]]);
});

test('no scopes have no sets', () => {
  expect(setsOf()).toBeUndefined();
});
