import type { UserStatus } from '@deviceportal/contract/states';
import type { Database } from '../platform/database/database.ts';
import { findUserOfPerson } from './data/user-queries.ts';

export interface AccountOfPerson {
  readonly userId: string;
  readonly status: UserStatus;
  readonly roles: readonly string[];
  readonly lastSignInAt: string | null;
}

/** The portal user linked to a person; undefined for most people. */
export function findAccountOfPerson(
  { database }: { readonly database: Database },
  personId: string,
): Promise<AccountOfPerson | undefined> {
  return findUserOfPerson(database.orm, personId);
}
