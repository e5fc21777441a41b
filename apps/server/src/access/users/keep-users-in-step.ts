import { sql } from 'drizzle-orm';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import { recordAudit, systemActor, type AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Database, Executor, Transaction } from '../../platform/database/database.ts';
import { inAccessTurn } from '../in-access-turn.ts';
import type {
  DirectoryAdministration,
  DirectoryEntry,
  DirectoryRoster,
  UserDirectory,
} from './user-directory.ts';
import { hasAdministrator } from './user-role-store.ts';

const PAGE = 1_000;

interface Deps {
  readonly database: Database;
  readonly directory: UserDirectory;
}

/**
 * Brings what stands here in line with the user pool, whoever changed it there: who is new is on record, who may not
 * sign in is suspended, and the members of `DevicePortal_Admin` are the administrators. Repairs, too, what a server
 * that died between the two has left.
 */
export async function keepUsersInStep({ database, directory }: Deps): Promise<void> {
  const pool = directory.administration;
  if (pool === undefined) return;
  for await (const page of pagesOf(pool.roster, database)) {
    if (page.length > 0) await inAccessTurn(database, (tx) => keepInStep(tx, pool, page));
  }
  await inAccessTurn(database, (tx) => keepAdministrators(tx, directory));
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

async function keepInStep(
  tx: Transaction,
  pool: DirectoryAdministration,
  page: readonly DirectoryEntry[],
): Promise<void> {
  const rows = JSON.stringify(page.map((entry) => ({ ...entry, id: newId() })));
  await tx.execute(sql`
    insert into portal_user as u (id, subject, username, email, phone, name)
    select id, subject, username, email, phone, name
    from jsonb_to_recordset(${rows}::jsonb)
      as entry(id uuid, subject text, username text, email text, phone text, name text)
    on conflict (subject) do update
      set username = excluded.username, email = excluded.email, phone = excluded.phone, name = excluded.name
      where (u.username, u.email, u.phone, u.name)
        is distinct from (excluded.username, excluded.email, excluded.phone, excluded.name)`);
  // Nobody registers by themselves at the embedded pool: everybody in it was entered by an administrator.
  if (pool.roster.kind === 'everybody') {
    await tx.execute(sql`
      update portal_user u set admitted_at = portal_now()
      from jsonb_to_recordset(${rows}::jsonb) as entry(subject text)
      where entry.subject = u.subject and u.admitted_at is null`);
  }
  const { rows: differing } = await tx.execute<{
    id: string;
    subject: string;
    username: string;
  }>(sql`
    select u.id, u.subject, u.username from portal_user u
    join jsonb_to_recordset(${rows}::jsonb) as entry(subject text, enabled bool) on entry.subject = u.subject
    where (u.status = 'Activated' and not entry.enabled) or (u.status = 'Suspended' and entry.enabled)`);
  for (const user of differing) await follow(tx, pool, user);
}

/** The page was read before the turn: what counts is how it stands now. */
async function follow(
  tx: Transaction,
  pool: DirectoryAdministration,
  user: { readonly id: string; readonly subject: string; readonly username: string },
): Promise<void> {
  const to = (await pool.isEnabled(user.subject)) ? 'Activated' : 'Suspended';
  const { rows } = await tx.execute<{ from: string }>(sql`
    update portal_user u set status = ${to} from portal_user before
    where u.id = ${user.id} and before.id = u.id and before.status in ('Activated', 'Suspended')
      and before.status <> ${to} returning before.status as "from"`);
  await recordAudit(
    tx,
    rows.map(({ from }): AuditDraft => ({
      type: 'access.user-status-changed',
      actor: systemActor,
      data: { userId: user.id, username: user.username, from, to, reason: 'user pool' },
    })),
  );
}

async function keepAdministrators(tx: Transaction, directory: UserDirectory): Promise<void> {
  const groups = await directory.groupsBySubject();
  const members = [...groups].flatMap(([subject, of]) =>
    of.includes(ADMIN_GROUP) ? [subject] : [],
  );
  const changed = async (statement: ReturnType<typeof sql>): Promise<string[]> =>
    (await tx.execute<{ username: string }>(statement)).rows.map(({ username }) => username);
  const added = await changed(sql`
    with added as (
      insert into user_role (user_id, role_id)
      select u.id, r.id from portal_user u, role r
      where r.builtin and r.name = ${ADMINISTRATOR} and u.status in ('Activated', 'Suspended')
        and u.subject = any(${sql.param(members)}::text[])
      on conflict do nothing returning user_id)
    select u.username from added join portal_user u on u.id = added.user_id`);
  // An empty group is a mistake sooner than a wish: somebody must be able to mend it.
  const removed =
    members.length === 0
      ? []
      : await changed(sql`
          delete from user_role ur using portal_user u, role r
          where u.id = ur.user_id and r.id = ur.role_id and r.builtin and r.name = ${ADMINISTRATOR}
            and not (u.subject = any(${sql.param(members)}::text[])) returning u.username`);
  await tx.execute(sql`
    update portal_user set in_admin_group = subject = any(${sql.param(members)}::text[])
    where in_admin_group <> (subject = any(${sql.param(members)}::text[]))`);
  if (removed.length > 0 && !(await hasAdministrator(tx, null))) {
    throw new Error('the group of the administrators names nobody who may use the portal');
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

async function listSubjects(
  executor: Executor,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await executor.execute<{ subject: string }>(sql`
    select subject from portal_user where subject > ${after ?? ''} order by subject limit ${limit}`);
  return rows.map(({ subject }) => subject);
}
