import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import { recordAudit, systemActor, type AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import {
  addAdministrators,
  admitUsers,
  findUnsyncedUsers,
  syncStatus,
  listSubjects,
  removeAdministrators,
  setAdminGroup,
  upsertUsers,
} from '../data/user-sync-queries.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import type {
  DirectoryAdministration,
  DirectoryEntry,
  DirectoryRoster,
  UserDirectory,
} from './user-directory.ts';
import { hasAdministrator } from '../data/user-role-queries.ts';

const PAGE = 1_000;

interface Deps {
  readonly database: Database;
  readonly directory: UserDirectory;
}

/**
 * Applies the changes made in the user pool: new users are added, users who cannot sign in are suspended, and the members
 * of `DevicePortal_Admin` become the administrators. Also completes a change that a stopped server left half done.
 */
export async function syncUsers({ database, directory }: Deps): Promise<void> {
  const pool = directory.administration;
  if (pool === undefined) return;
  for await (const page of pagesOf(pool.roster, database)) {
    if (page.length > 0) await serializeAccessChange(database, (tx) => syncPage(tx, pool, page));
  }
  await serializeAccessChange(database, (tx) => keepAdministrators(tx, directory));
}

async function* pagesOf(
  roster: DirectoryRoster,
  { orm }: Database,
): AsyncGenerator<readonly DirectoryEntry[]> {
  let after: string | undefined;
  for (;;) {
    if (roster.kind === 'everybody') {
      const page = await roster.list(after, PAGE);
      yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.username;
    } else {
      const subjects = await listSubjects(orm, after, PAGE);
      yield await roster.find(subjects);
      if (subjects.length < PAGE) return;
      after = subjects.at(-1);
    }
  }
}

async function syncPage(
  tx: Transaction,
  pool: DirectoryAdministration,
  page: readonly DirectoryEntry[],
): Promise<void> {
  await upsertUsers(tx, page);
  const subjectsOf = (entries: readonly DirectoryEntry[]) => entries.map(({ subject }) => subject);
  // Users cannot register at the embedded pool, so an administrator created each of them.
  if (pool.roster.kind === 'everybody') await admitUsers(tx, subjectsOf(page));
  const unsynced = await findUnsyncedUsers(tx, {
    enabled: subjectsOf(page.filter(({ enabled }) => enabled)),
    disabled: subjectsOf(page.filter(({ enabled }) => !enabled)),
  });
  for (const user of unsynced) await follow(tx, pool, user);
}

/** The page was read before the lock was taken, so the current status is read again. */
async function follow(
  tx: Transaction,
  pool: DirectoryAdministration,
  user: { readonly id: string; readonly subject: string; readonly username: string },
): Promise<void> {
  const to = (await pool.isEnabled(user.subject)) ? 'Activated' : 'Suspended';
  const from = await syncStatus(tx, user.id, to);
  if (from === undefined) return;
  await recordAudit(tx, [
    {
      type: 'access.user-status-changed',
      actor: systemActor,
      data: { userId: user.id, username: user.username, from, to, reason: 'user pool' },
    },
  ]);
}

async function keepAdministrators(tx: Transaction, directory: UserDirectory): Promise<void> {
  const groups = await directory.groupsBySubject();
  const members = [...groups].flatMap(([subject, of]) =>
    of.includes(ADMIN_GROUP) ? [subject] : [],
  );
  const added = await addAdministrators(tx, members);
  // An empty group is more likely a mistake than intended: an administrator must be left to correct it.
  const removed = members.length === 0 ? [] : await removeAdministrators(tx, members);
  await setAdminGroup(tx, members);
  if (removed.length > 0 && !(await hasAdministrator(tx, null))) {
    throw new Error('the administrator group contains no active user');
  }
  const event = (username: string, data: object): AuditDraft => ({
    type: 'access.user-roles-changed',
    actor: systemActor,
    data: { username, added: [], removed: [], ...data, reason: 'user pool' },
  });
  await recordAudit(tx, [
    ...added.map((username) => event(username, { added: [ADMINISTRATOR] })),
    ...removed.map((username) => event(username, { removed: [ADMINISTRATOR] })),
  ]);
}
