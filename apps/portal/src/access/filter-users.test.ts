import { describe, expect, it } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import { decodeFilter } from '../shell/filter-codec.ts';
import { filterUsers, sortUsers } from './filter-users.ts';

const user = (username: string, more: Partial<UserRow> = {}): UserRow => ({
  id: username,
  username,
  email: `${username}@example.org`,
  phone: null,
  name: username.toUpperCase(),
  status: 'Activated',
  roles: ['Viewer'],
  groups: [],
  lastSignInAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const users = [
  user('ana', { roles: ['Operator'], lastSignInAt: '2026-11-01T00:00:00.000Z' }),
  user('ben', { status: 'Suspended' }),
];
const found = (q: string, operation: 'and' | 'or' = 'and'): string[] =>
  filterUsers(users, decodeFilter(q, operation)).map(({ username }) => username);

describe('filter of users', () => {
  it('[users-1] a status, a role and words narrow the list', () => {
    expect(found('status=Suspended')).toEqual(['ben']);
    expect(found('role=Operator')).toEqual(['ana']);
    expect(found('BEN@')).toEqual(['ben']);
  });

  it('[users-2] "is not" and "or" mean what they say', () => {
    expect(found('role!=Operator')).toEqual(['ben']);
    expect(found('role=Operator;status=Suspended', 'or')).toEqual(['ana', 'ben']);
    expect(found('role=Operator;status=Suspended')).toEqual([]);
  });

  it('[users-3] who never signed in is the longest away', () => {
    expect(sortUsers(users, 'lastSignIn', false).map(({ username }) => username)).toEqual([
      'ben',
      'ana',
    ]);
  });
});
