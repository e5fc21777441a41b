import type { UserFilter } from '@deviceportal/contract/access';
import { userStatus, type UserStatus } from '@deviceportal/contract/states';
import { decodeFilter, type FilterQuery, type FilterQueryToken } from '../../ui/filter-codec.ts';

export interface DecodedUsersFilter {
  /** The filter as the server expects it. */
  readonly filter: UserFilter;
  /** The filter as the filter bar shows it. */
  readonly query: FilterQuery;
}

const userFilterKeys = ['status', 'role', 'group', 'away', 'signedIn'] as const;
export type UserFilterKey = (typeof userFilterKeys)[number];

/** Days without a sign-in, for the built-in view of inactive users. */
export const AWAY_DAYS = 90;

/** Decodes the `q` parameter of the user list. Invalid values are ignored. */
export function decodeUsersFilter(q: string): DecodedUsersFilter {
  const { tokens } = decodeFilter(q);
  const values = (key: UserFilterKey): readonly string[] =>
    tokens.flatMap((token) => (token.key === key ? token.values : []));
  const awayDays = Number(values('away')[0]);
  return {
    filter: {
      text: tokens.flatMap(wordsOf).join(' ').slice(0, 200),
      statuses: values('status').filter((value): value is UserStatus => value in userStatus),
      roles: [...values('role')],
      group: values('group')[0] ?? null,
      awayDays: Number.isInteger(awayDays) && awayDays >= 1 && awayDays <= 3_650 ? awayDays : null,
      neverSignedIn: values('signedIn').includes('never'),
    },
    query: { tokens, operation: 'and' },
  };
}

function wordsOf({ key, values }: FilterQueryToken): readonly string[] {
  return key === undefined ? values : [];
}
