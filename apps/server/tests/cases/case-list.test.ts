import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCasesInput, openCaseInput } from '@deviceportal/contract/cases';
import { everywhere } from '@deviceportal/contract/permissions';
import { listCases } from '../../src/cases/list-cases.ts';
import { listQueues } from '../../src/cases/list-queues.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { updateCase } from '../../src/cases/update-case.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandFixture,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { callerIn, entriesOf, seedPerson } from './case-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const ana: Viewer = { ...viewerWith('Support'), displayName: 'Ana Support' };
/** The IDs of the cases by their tickets. */
const ids = new Map<string, string>();

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, name)
    values (${ana.userId}, ${ana.subject}, 'ana', 'Ana Support')`);
  await make('late', { priority: 'low', dueAt: inHours(-1), queue: 'Printers' });
  await make('soon', { priority: 'high', dueAt: inHours(1), assigneeId: null });
  await make('never', { priority: 'urgent', queue: 'printers' });
  await make('next', { priority: 'high', dueAt: inHours(24), queue: 'Lockers' });
});
afterAll(() => test[Symbol.asyncDispose]());

async function make(ticket: string, how: object): Promise<void> {
  const { id: personId } = await seedPerson(test.database, `Person ${ticket}`);
  const input = openCaseInput.parse({ personId, ticket, ...how });
  ids.set(ticket, (await openCase(fixture.deps, callerIn(ana), input)).id);
}

async function listed(how: object, viewer = ana): Promise<string[]> {
  const page = await listCases(fixture.deps, viewer, listCasesInput.parse(how));
  return page.rows.map(({ ticket }) => ticket);
}

/** All pages of one row each. */
async function paged(how: object): Promise<string[]> {
  const tickets: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCases>> = await listCases(
      fixture.deps,
      ana,
      listCasesInput.parse({ ...how, pageSize: 1, cursor }),
    );
    tickets.push(...page.rows.map(({ ticket }) => ticket));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return tickets;
}

describe('the list of cases', () => {
  it.each([
    ['due', false, ['late', 'soon', 'next', 'never']],
    ['due', true, ['never', 'next', 'soon', 'late']],
    ['priority', false, ['never', 'soon', 'next', 'late']],
    ['opened', false, ['late', 'soon', 'never', 'next']],
  ])('is sorted by %s, descending: %s, page by page', async (sort, descending, expected) => {
    expect(await listed({ sort, descending })).toEqual(expected);
    expect(await paged({ sort, descending })).toEqual(expected);
  });

  it('filters by assignee, priority, queue, and overdue', async () => {
    expect(await listed({ assignee: 'none' })).toEqual(['soon']);
    expect(await listed({ assignee: 'me' })).toEqual(['next', 'never', 'late']);
    expect(await listed({ assignee: ana.userId, priority: 'high' })).toEqual(['next']);
    expect(await listed({ queue: 'PRINTERS' })).toEqual(['never', 'late']);
    expect(await listed({ queue: 'Print' })).toEqual([]);
    expect(await listed({ overdue: true })).toEqual(['late']);
  });

  it('refuses the cursor of another order', async () => {
    const input = { pageSize: 1, sort: 'due' };
    const { nextCursor: cursor } = await listCases(
      fixture.deps,
      ana,
      listCasesInput.parse({ ...input, descending: false }),
    );
    const other = listCasesInput.parse({ ...input, sort: 'priority', cursor });
    await expect(listCases(fixture.deps, ana, other)).rejects.toMatchObject({ code: 2004 });
  });

  it('reads a page of each order by an index, not all cases', async () => {
    await test.owner.orm.execute(sql`
      insert into support_case (id, person_id, state, opened_by_id, opened_by, opened_at, due_at, priority)
      select gen_random_uuid(), (select id from person limit 1), 'open', gen_random_uuid(), 'x',
        now() - n * interval '1 minute', now() - n * interval '1 minute', 1 + n % 4
      from generate_series(1, 3000) n`);
    await test.owner.orm.execute(sql`analyze support_case`);
    const explain = async (order: string): Promise<string> => {
      const { rows } = await test.owner.pool.query<Record<string, string>>(
        `explain select id from support_case where state = 'open' order by ${order} limit 25`,
      );
      return rows.map((row) => Object.values(row)[0]).join('\n');
    };
    const never = `coalesce(due_at, 'infinity'::timestamptz)`;
    expect(await explain(`${never}, id`)).toContain('support_case_open_by_due');
    expect(await explain(`priority, ${never}, id`)).toContain('support_case_open_by_priority');
    await test.owner.orm.execute(sql`delete from support_case where opened_by = 'x'`);
  });
});

describe('queues', () => {
  it('are those of open cases, in one spelling, by prefix', async () => {
    expect(await listQueues(fixture.deps, ana, { text: '' })).toEqual(['Lockers', 'Printers']);
    expect(await listQueues(fixture.deps, ana, { text: 'pri' })).toEqual(['Printers']);
    expect(await listQueues(fixture.deps, ana, { text: '%' })).toEqual([]);
  });

  it('of cases outside the scope are hidden', async () => {
    const french = viewerWith('Support', { ...everywhere, countries: ['FR'] });
    expect(await listQueues(fixture.deps, french, { text: '' })).toEqual([]);
  });
});

describe('an edit', () => {
  it('changes only what it names, and records what changed and what was before', async () => {
    const id = ids.get('next') ?? '';
    const changed = await updateCase(fixture.deps, callerIn(ana), {
      id,
      priority: 'urgent',
      queue: 'PRINTERS',
    });
    expect(changed).toMatchObject({ ticket: 'next', priority: 'urgent', queue: 'Printers' });
    const entries = await entriesOf(fixture.deps, ana, id);
    expect(entries.at(-1)).toMatchObject({
      kind: 'updated',
      data: { priority: 'urgent', queue: 'Printers' },
    });
    const { rows } = await test.database.orm.execute(sql`
      select data - 'caseId' - 'personId' as data from audit_event
      where case_id = ${id} and type = 'case.updated'`);
    expect(rows).toEqual([
      {
        data: {
          ...{ priority: 'urgent', priorityBefore: 'high' },
          ...{ queue: 'Printers', queueBefore: 'Lockers' },
        },
      },
    ]);
  });

  it('that changes nothing records nothing', async () => {
    const id = ids.get('late') ?? '';
    const { dueAt } = (await listCases(fixture.deps, ana, listCasesInput.parse({ ticket: 'late' })))
      .rows[0] ?? { dueAt: null };
    await updateCase(fixture.deps, callerIn(ana), { id, priority: 'low', dueAt });
    const kinds = (await entriesOf(fixture.deps, ana, id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['opened']);
  });
});
