import type { AccountAdministration } from '@deviceportal/identity/account-administration';
import { serverOrigin } from '@deviceportal/identity/administration-act';
import { originOf } from '../access/act-origin.ts';
import type { DirectoryAdministration } from '../access/users/user-directory.ts';

type AccountActs = Pick<
  DirectoryAdministration,
  | 'groupsOf'
  | 'setMember'
  | 'listSessions'
  | 'endSession'
  | 'endAllSessions'
  | 'findLocks'
  | 'unlock'
>;

/** Account administration of the embedded directories, as the portal uses it. */
export function accountActs(accounts: AccountAdministration): AccountActs {
  return {
    groupsOf: (subject) => accounts.listGroups(subject),
    setMember: (accountId, membership, caller) =>
      accounts.setMember({ accountId, ...membership }, originOf(caller)),
    listSessions: (subject) => accounts.listSignIns(subject),
    endSession: (accountId, signInId, caller) =>
      accounts.endSignIn({ accountId, signInId }, originOf(caller)),
    endAllSessions: (subject, caller) => accounts.signOut(subject, originOf(caller)),
    findLocks: (subjects) => accounts.findLocks(subjects),
    unlock: (subject, by) =>
      accounts.unlock(subject, by === 'operator' ? serverOrigin : originOf(by)),
  };
}
