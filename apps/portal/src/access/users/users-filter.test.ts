import { describe, expect, it } from 'vitest';
import { decodeUsersFilter } from './users-filter.ts';

describe('filter of users', () => {
  it('sends statuses, roles, absence, and text to the server', () => {
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

  it('ignores invalid values', () => {
    expect(decodeUsersFilter('status=Dancing;away=soon').filter).toMatchObject({
      statuses: [],
      awayDays: null,
    });
  });
});
