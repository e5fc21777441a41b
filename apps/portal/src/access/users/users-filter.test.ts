import { describe, expect, it } from 'vitest';
import { decodeUsersFilter } from './users-filter.ts';

describe('filter of users', () => {
  it('[users-1] statuses, roles, absence and words reach the server', () => {
    expect(
      decodeUsersFilter('status=Suspended,Resigned;role=Night shift;away=90;ana').filter,
    ).toEqual({
      text: 'ana',
      statuses: ['Suspended', 'Resigned'],
      roles: ['Night shift'],
      group: null,
      awayDays: 90,
      neverSignedIn: false,
    });
  });

  it('[users-2] values that make no sense are left out', () => {
    expect(decodeUsersFilter('status=Dancing;away=soon').filter).toMatchObject({
      statuses: [],
      awayDays: null,
    });
  });
});
