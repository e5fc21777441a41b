import { describe, expect, test } from 'vitest';
import { everywhere, type Grant } from '@deviceportal/contract/permissions';
import { availableToTokens, limitGrants } from './limit-grants.ts';

const may = (permissions: Grant['permissions'], scope: Partial<Grant['scope']> = {}): Grant => ({
  permissions,
  scope: { ...everywhere, ...scope },
});

describe('the grants of a personal token', () => {
  test('are the permissions that its owner and the token have', () => {
    const owned = [may(['devices:read', 'cases:manage'])];
    expect(limitGrants(owned, may(['devices:read', 'commands:read']))).toEqual([
      may(['devices:read']),
    ]);
  });

  test('reach the devices that both reach', () => {
    const owned = [may(['devices:read'], { countries: ['DE', 'FR'], labels: { site: 'a' } })];
    const token = may(['devices:read'], { countries: ['FR', 'PL'], models: ['K310'] });
    expect(limitGrants(owned, token)).toEqual([
      may(['devices:read'], { countries: ['FR'], models: ['K310'], labels: { site: 'a' } }),
    ]);
  });

  test.each([
    ['another country', { countries: ['PL'] }],
    ['another model', { models: ['K400'] }],
    ['another value of a label', { labels: { site: 'b' } }],
  ])('are none for %s', (_what, scope) => {
    const owned = [
      may(['devices:read'], { countries: ['DE'], models: ['K310'], labels: { site: 'a' } }),
    ];
    expect(limitGrants(owned, may(['devices:read'], scope))).toEqual([]);
  });

  test('keep the scopes of several roles apart', () => {
    const owned = [
      may(['devices:read'], { countries: ['DE'] }),
      may(['commands:read'], { countries: ['FR'] }),
    ];
    expect(limitGrants(owned, may(['devices:read', 'commands:read']))).toEqual(owned);
  });
});

test('no token has what manages access, destroys, or is not part of the API', () => {
  const all = may([
    'access:manage',
    'api-tokens:manage',
    'commands:run:@destroys',
    'files:write',
    'terminal:open',
    'web-pages:open',
  ]);
  expect(availableToTokens([all])).toEqual([]);
  expect(limitGrants([all], all)).toEqual([]);
});
