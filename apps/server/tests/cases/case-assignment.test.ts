import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listCasesInput, openCaseInput } from '@deviceportal/contract/cases';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { assignCase } from '../../src/cases/assign-case.ts';
import { getCase } from '../../src/cases/get-case.ts';
import { listAssignees } from '../../src/cases/list-assignees.ts';
import { listCases } from '../../src/cases/list-cases.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { listNotifications } from '../../src/notifications/read-notifications.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandFixture,
  may,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { callerIn, entriesOf, seedPerson, type SeededPerson } from './case-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;
let maria: SeededPerson;
let ana: Viewer;
let ben: Viewer;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
beforeEach(async () => {
  await test.owner.orm.execute(
    sql`truncate support_case, case_worker, case_entry, notification, portal_user, user_role`,
  );
  maria = await seedPerson(test.database, 'Maria Gomez', ['DE']);
  [ana, ben] = [await user('Ana Support'), await user('Ben Support')];
});
afterAll(() => test[Symbol.asyncDispose]());

/** A user who can sign in, with a copy of a role for a scope. */
async function user(name: string, role = 'Support', scope: Scope = everywhere): Promise<Viewer> {
  const viewer = { ...viewerWith(role, scope), displayName: name };
  const roleId = newId();
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, name)
    values (${viewer.userId}, ${viewer.subject}, ${`${viewer.userId}@example.com`}, ${name})`);
  await test.database.orm.execute(sql`
    insert into role (id, name, permissions, scope)
    select ${roleId}, ${`${role} ${roleId}`}, permissions, ${JSON.stringify(scope)}::jsonb from role where name = ${role}`);
  await test.database.orm.execute(
    sql`insert into user_role (user_id, role_id) values (${viewer.userId}, ${roleId})`,
  );
  return viewer;
}

const open = (how: object = {}, by = ana) =>
  openCase(
    fixture.deps,
    callerIn(by),
    openCaseInput.parse({ personId: maria.id, about: 'does not print', ...how }),
  );
const assign = (id: string, assigneeId: string | null, by = ana) =>
  assignCase(fixture.deps, callerIn(by), { id, assigneeId });
const notificationsOf = async (viewer: Viewer) =>
  (await listNotifications(fixture.deps, viewer, { pageSize: 25, cursor: null })).rows.filter(
    ({ kind }) => kind === 'case-assigned',
  );
const auditOf = async (caseId: string) => {
  const { rows } = await test.database.orm.execute<{ type: string }>(sql`
    select type from audit_event where case_id = ${caseId} order by at, id`);
  return rows.map(({ type }) => type);
};

describe('the assignee of a case', () => {
  it('is at first the user who opens it, without a notification', async () => {
    const { id, assignee, priority, queue, dueAt } = await open();
    expect({ assignee, priority, queue, dueAt }).toEqual({
      assignee: { id: ana.userId, name: 'Ana Support', isActive: true },
      priority: 'normal',
      queue: '',
      dueAt: null,
    });
    expect(await auditOf(id)).toEqual(['case.opened']);
    expect(await notificationsOf(ana)).toEqual([]);
  });

  it('can be another user from the start, who is notified', async () => {
    const { id } = await open({ assigneeId: ben.userId, priority: 'urgent' });
    expect(await notificationsOf(ben)).toMatchObject([
      { facts: { caseId: id, by: 'Ana Support', priority: 'urgent' } },
    ]);
    expect(await auditOf(id)).toEqual(['case.opened', 'case.assigned']);
  });

  it('changes with an entry and an audit event, and the user is notified each time', async () => {
    const { id } = await open();
    expect(await assign(id, ben.userId)).toMatchObject({ assignee: { name: 'Ben Support' } });
    expect(await assign(id, ben.userId)).toMatchObject({ assignee: { name: 'Ben Support' } });
    expect(await notificationsOf(ben)).toHaveLength(1);
    expect(await assign(id, null)).toMatchObject({ assignee: null });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await assign(id, ben.userId);
    expect(await notificationsOf(ben)).toHaveLength(2);
    const kinds = ['opened', 'assigned', 'assigned', 'assigned'];
    const entries = await entriesOf(fixture.deps, ana, id);
    expect(entries.map(({ kind }) => kind)).toEqual(kinds);
    expect(entries.map(({ data }) => data['username'])).toEqual([
      undefined,
      'Ben Support',
      undefined,
      'Ben Support',
    ]);
    expect(await auditOf(id)).toEqual([
      'case.opened',
      'case.assigned',
      'case.unassigned',
      'case.assigned',
    ]);
  });

  it('cannot be a user who could not work on the case', async () => {
    const { id } = await open();
    const french = await user('Fleur', 'Support', { ...everywhere, countries: ['FR'] });
    const auditor = await user('Otto', 'Auditor');
    const gone = await user('Gone Support');
    await test.database.orm.execute(
      sql`update portal_user set status = 'Suspended' where id = ${gone.userId}`,
    );
    for (const other of [french.userId, auditor.userId, gone.userId, randomUUID()])
      await expect(assign(id, other)).rejects.toMatchObject({ code: 2004 });
    expect(await getCase(fixture.deps, ana, id)).toMatchObject({ assignee: { id: ana.userId } });
    const german = await user('Gerda', 'Support', { ...everywhere, countries: ['DE'] });
    expect(await assign(id, german.userId)).toMatchObject({ assignee: { name: 'Gerda' } });
  });

  it('counts as none when the user can no longer sign in', async () => {
    const { id } = await open({ assigneeId: ben.userId });
    const unassigned = async () => {
      const input = listCasesInput.parse({ assignee: 'none' });
      return (await listCases(fixture.deps, ana, input)).rows;
    };
    expect(await unassigned()).toEqual([]);
    await test.database.orm.execute(
      sql`update portal_user set status = 'Suspended' where id = ${ben.userId}`,
    );
    expect(await unassigned()).toMatchObject([
      { id, assignee: { name: 'Ben Support', isActive: false } },
    ]);
  });

  it('is offered from the users who could work on the case', async () => {
    await user('Fleur', 'Support', { ...everywhere, countries: ['FR'] });
    await user('Gerda', 'Support', { ...everywhere, countries: ['DE'] });
    await user('Otto', 'Auditor');
    const named = async (text: string, viewer = ana) =>
      (await listAssignees(fixture.deps, viewer, { personId: maria.id, text })).map(
        ({ name }) => name,
      );
    expect(await named('')).toEqual(['Ana Support', 'Ben Support', 'Gerda']);
    expect(await named('ger')).toEqual(['Gerda']);
    expect(await named('%')).toEqual([]);
  });

  it('is masked, and cannot be searched for, without people:read', async () => {
    const { id } = await open({ assigneeId: ben.userId });
    const faceless = viewerHolding([may(['cases:manage', 'devices:read'])]);
    const found = [
      await getCase(fixture.deps, faceless, id),
      await entriesOf(fixture.deps, faceless, id),
      await listAssignees(fixture.deps, faceless, { personId: maria.id, text: '' }),
    ];
    expect(JSON.stringify(found)).not.toMatch(/Ana|Ben|Support|@example/);
    const all = await listAssignees(fixture.deps, faceless, { personId: maria.id, text: '' });
    const searched = { personId: maria.id, text: 'Zoe' };
    expect(await listAssignees(fixture.deps, faceless, searched)).toEqual(all);
  });

  it('cannot be changed or listed by a user outside the scope', async () => {
    const { id } = await open();
    const french = await user('Fleur', 'Support', { ...everywhere, countries: ['FR'] });
    await expect(assign(id, null, french)).rejects.toMatchObject({ code: 2003 });
    const of = { personId: maria.id, text: '' };
    await expect(listAssignees(fixture.deps, french, of)).rejects.toMatchObject({ code: 2003 });
  });
});

describe('an existing installation', () => {
  it('keeps the user who opened a case as its assignee', async () => {
    const openCaseId = newId();
    const closedId = newId();
    await test.owner.orm.execute(sql`
      insert into support_case (id, person_id, state, opened_by_id, opened_by, opened_at)
      values (${openCaseId}, ${maria.id}, 'open', ${ana.userId}, 'Ana Support', now()),
        (${closedId}, ${maria.id}, 'closed', ${ana.userId}, 'Ana Support', now())`);
    await test.owner.pool.query(carryingOver());
    expect(await getCase(fixture.deps, ben, openCaseId)).toMatchObject({
      assignee: { id: ana.userId, name: 'Ana Support' },
      priority: 'normal',
    });
    expect(await getCase(fixture.deps, ben, closedId)).toMatchObject({ assignee: null });
  });
});

/** The statement of the migration that changes existing cases. */
function carryingOver(): string {
  const folder = join(import.meta.dirname, '../../migrations');
  const file = readdirSync(folder).find((name) => name.endsWith('_case_assignment.sql')) ?? '';
  const statement = /UPDATE "support_case" [^;]+/.exec(readFileSync(join(folder, file), 'utf8'));
  return statement?.[0] ?? '';
}
