import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { listCasesInput, openCaseInput } from '@deviceportal/contract/cases';
import { everywhere } from '@deviceportal/contract/permissions';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { addCaseNote } from '../../src/cases/add-case-note.ts';
import { findPeopleAndCases } from '../../src/cases/find-people-and-cases.ts';
import { closeCase } from '../../src/cases/close-case.ts';
import { enterCase } from '../../src/cases/enter-case.ts';
import { getActiveCase } from '../../src/cases/get-active-case.ts';
import { getCase } from '../../src/cases/get-case.ts';
import { leaveCase } from '../../src/cases/leave-case.ts';
import { listCaseEntries } from '../../src/cases/list-case-entries.ts';
import { listCases } from '../../src/cases/list-cases.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { reopenCase } from '../../src/cases/reopen-case.ts';
import { updateCase } from '../../src/cases/update-case.ts';
import { addNote } from '../../src/devices/device-notes.ts';
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
let support: Viewer;
let colleague: Viewer;

const words = { ticket: 'T-100', about: 'does not print' };
const all = listCasesInput.parse({ pageSize: 25 });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
beforeEach(async () => {
  await test.owner.orm.execute(sql`truncate support_case, case_worker, case_entry`);
  maria = await seedPerson(test.database, 'Maria Gomez');
  support = { ...viewerWith('Support'), displayName: 'Ana Support' };
  colleague = { ...viewerWith('Support'), displayName: 'Ben Support' };
});
afterAll(() => test[Symbol.asyncDispose]());

const open = (viewer: Viewer = support, person: SeededPerson = maria) =>
  openCase(fixture.deps, callerIn(viewer), openCaseInput.parse({ personId: person.id, ...words }));
const startedReports: string[] = [];
const closing = () => ({
  ...fixture.deps,
  reportDays: 7,
  startReport: async (_tx: unknown, reportId: string) => void startedReports.push(reportId),
});
const close = (id: string, viewer: Viewer = support) =>
  closeCase(closing(), callerIn(viewer), { id, outcome: 'resolved', text: 'a new cable' });
const deviceNotes = () => ({
  ...fixture.deps,
  installCommand: async (token: string) => `install --claim ${token}`,
});
const auditOf = async (caseId: string) => {
  const { rows } = await test.database.orm.execute<{ type: string; actor: string }>(sql`
    select type, actor_id as actor from audit_event where case_id = ${caseId} order by at, id`);
  return rows;
};

describe('a case', () => {
  it('is opened for a person, becomes the active case, and is closed with its outcome', async () => {
    const opened = await open();
    expect(opened).toMatchObject({ ...words, state: 'open', person: { name: 'Maria Gomez' } });
    expect(await getActiveCase(fixture.deps, support)).toMatchObject({ id: opened.id });
    await addCaseNote(fixture.deps, callerIn(support), { id: opened.id, text: 'cable is broken' });
    const closed = await close(opened.id);
    expect(closed).toMatchObject({
      state: 'closed',
      outcome: 'resolved',
      outcomeText: 'a new cable',
      closedBy: 'Ana Support',
      workers: [{ name: 'Ana Support', isIn: false }],
    });
    expect(await getActiveCase(fixture.deps, support)).toBeNull();
    expect(await entriesOf(fixture.deps, support, opened.id)).toMatchObject([
      { kind: 'opened', actor: 'Ana Support', mine: true, data: words },
      { kind: 'note', data: { text: 'cable is broken' } },
      { kind: 'closed', data: { outcome: 'resolved', text: 'a new cable' } },
    ]);
    expect(startedReports).toEqual([closed.reportId]);
    const actor = support.userId;
    expect(await auditOf(opened.id)).toEqual([
      { type: 'case.opened', actor },
      { type: 'case.note-added', actor },
      { type: 'case.closed', actor },
      { type: 'report.created', actor },
    ]);
  });

  it('is closed and reopened once by concurrent requests', async () => {
    const { id } = await open();
    startedReports.length = 0;
    const either = (index: number) => (index % 2 === 0 ? support : colleague);
    const atOnce = async (act: (viewer: Viewer) => Promise<unknown>): Promise<number> => {
      const acts = await Promise.allSettled(Array.from({ length: 6 }, (_, at) => act(either(at))));
      return acts.filter(({ status }) => status === 'fulfilled').length;
    };
    // The other requests of the same user repeat the first one.
    expect(await atOnce((viewer) => close(id, viewer))).toBe(3);
    expect(startedReports).toHaveLength(1);
    // The later requests find it open and make it active.
    expect(await atOnce((viewer) => reopenCase(fixture.deps, callerIn(viewer), id))).toBe(6);
    const types = (await auditOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'case.closed' || type === 'case.reopened')).toEqual([
      'case.closed',
      'case.reopened',
    ]);
  });

  it('is closed once by a request that is repeated because its response was lost', async () => {
    const { id } = await open();
    startedReports.length = 0;
    const closed = await close(id);
    expect(await close(id)).toEqual(closed);
    expect(startedReports).toHaveLength(1);
    const ends = (await auditOf(id)).filter(({ type }) => type === 'case.closed');
    expect(ends).toHaveLength(1);
    const other = { id, outcome: 'not-resolved', text: 'a new cable' } as const;
    await expect(closeCase(closing(), callerIn(support), other)).rejects.toMatchObject({
      code: 2004,
    });
  });

  it('is opened once by concurrent requests of the same user', async () => {
    const opened = await Promise.all([open(), open(), open()]);
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await listCases(fixture.deps, support, all)).toMatchObject({
      rows: [{ state: 'open' }],
    });
  });

  it('cannot be changed after it is closed until it is reopened', async () => {
    const { id } = await open();
    await close(id);
    const note = { id, text: 'late' };
    await expect(addCaseNote(fixture.deps, callerIn(support), note)).rejects.toMatchObject({
      code: 2004,
    });
    await expect(close(id, colleague)).rejects.toMatchObject({ code: 2004 });
    await expect(enterCase(fixture.deps, callerIn(support), id)).rejects.toMatchObject({
      code: 2004,
    });
    expect(await reopenCase(fixture.deps, callerIn(colleague), id)).toMatchObject({
      state: 'open',
      outcome: null,
      closedAt: null,
    });
    await addCaseNote(fixture.deps, callerIn(colleague), note);
    const kinds = (await entriesOf(fixture.deps, support, id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['opened', 'closed', 'reopened', 'note']);
  });

  it('is not reopened if its user has another open case for the person', async () => {
    const first = await open();
    await close(first.id);
    await open();
    await expect(reopenCase(fixture.deps, callerIn(support), first.id)).rejects.toMatchObject({
      code: 2004,
    });
  });

  it('can have several users, each of whom works in one case at a time', async () => {
    const first = await open();
    const entered = await enterCase(fixture.deps, callerIn(colleague), first.id);
    expect(entered.workers).toMatchObject([
      { name: 'Ana Support', isIn: true },
      { name: 'Ben Support', isIn: true },
    ]);
    const second = await open(support, await seedPerson(test.database, 'Bo Chen'));
    expect(await getActiveCase(fixture.deps, support)).toMatchObject({ id: second.id });
    expect(await getActiveCase(fixture.deps, colleague)).toMatchObject({ id: first.id });
    await leaveCase(fixture.deps, colleague);
    expect(await getActiveCase(fixture.deps, colleague)).toBeNull();
    await enterCase(fixture.deps, callerIn(colleague), first.id);
    const joins = (await entriesOf(fixture.deps, support, first.id)).map(({ kind }) => kind);
    expect(joins).toEqual(['opened', 'joined']);
  });

  it('records its previous ticket in the audit trail', async () => {
    const { id } = await open();
    const changed = { id, ticket: 'T-200', about: 'prints again' };
    expect(await updateCase(fixture.deps, callerIn(support), changed)).toMatchObject(changed);
    const { rows } = await listAuditEvents(test, viewerWith('Administrator'), {
      filter: auditFilterSchema.parse({ caseId: id, types: ['case.updated'] }),
      ...{ cursor: null, pageSize: 25 },
    });
    expect(rows).toMatchObject([{ data: { ticket: 'T-200', ticketBefore: 'T-100' } }]);
  });
});

describe('the list of cases', () => {
  it('filters by user, state, person, and ticket, page by page', async () => {
    const bo = await seedPerson(test.database, 'Bo Chen');
    const mine = await open();
    const others = await open(colleague, bo);
    await close(mine.id);
    const ids = async (filter: Partial<typeof all> | object) =>
      (await listCases(fixture.deps, support, { ...all, ...filter })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual([others.id, mine.id]);
    expect(await ids({ mine: true })).toEqual([mine.id]);
    expect(await ids({ state: 'open' })).toEqual([others.id]);
    expect(await ids({ outcome: 'resolved' })).toEqual([mine.id]);
    expect(await ids({ personId: bo.id })).toEqual([others.id]);
    expect(await ids({ ticket: 't-1' })).toEqual([others.id, mine.id]);
    expect(await ids({ ticket: '%' })).toEqual([]);
    const first = await listCases(fixture.deps, support, { ...all, pageSize: 1 });
    expect(first.rows).toMatchObject([{ id: others.id }]);
    const second = await listCases(fixture.deps, support, {
      ...all,
      pageSize: 1,
      cursor: first.nextCursor,
    });
    expect(second).toMatchObject({ rows: [{ id: mine.id }], nextCursor: null });
  });
});

describe('permissions', () => {
  const french = { ...everywhere, countries: ['FR'] };

  it('hide a case if the person is not visible', async () => {
    const { id } = await open();
    const stranger = viewerWith('Support', french);
    expect((await listCases(fixture.deps, stranger, all)).rows).toEqual([]);
    await expect(getCase(fixture.deps, stranger, id)).rejects.toMatchObject({ code: 2003 });
    const page = { caseId: id, pageSize: 25, cursor: null };
    await expect(listCaseEntries(fixture.deps, stranger, page)).rejects.toMatchObject({
      code: 2003,
    });
    const note = { id, text: 'not mine' };
    await expect(addCaseNote(fixture.deps, callerIn(stranger), note)).rejects.toMatchObject({
      code: 2003,
    });
    await expect(close(id, stranger)).rejects.toMatchObject({ code: 2003 });
    await expect(enterCase(fixture.deps, callerIn(stranger), id)).rejects.toMatchObject({
      code: 2003,
    });
    await expect(open(stranger)).rejects.toMatchObject({ code: 2003 });
  });

  it('do not combine reading in one country with managing in another', async () => {
    const person = await seedPerson(test.database, 'Luc Roux', ['FR']);
    const { id } = await open(support, person);
    const split = viewerHolding([
      may(['cases:read', 'devices:read'], french),
      may(['cases:manage', 'devices:read'], { ...everywhere, countries: ['DE'] }),
    ]);
    expect(await getCase(fixture.deps, split, id)).toMatchObject({ id });
    await expect(close(id, split)).rejects.toMatchObject({ code: 2003 });
  });

  it('mask names without people:read', async () => {
    const { id } = await open();
    const faceless = viewerHolding([may(['cases:read', 'devices:read'])]);
    const found = await getCase(fixture.deps, faceless, id);
    expect(JSON.stringify([found, await entriesOf(fixture.deps, faceless, id)])).not.toMatch(
      /Maria|Gomez|Ana|Support/,
    );
  });

  it('hide entries about devices outside the scope', async () => {
    const person = await seedPerson(test.database, 'Eva Lang', ['DE', 'FR']);
    const { id } = await open(support, person);
    for (const deviceId of person.deviceIds)
      await addNote(deviceNotes(), callerIn(support, id), { deviceId, text: 'seen' });
    const entries = await entriesOf(fixture.deps, support, id);
    expect(entries.map(({ deviceName }) => deviceName)).toEqual([
      null,
      'Eva Lang in DE',
      'Eva Lang in FR',
    ]);
    const seen = await entriesOf(fixture.deps, viewerWith('Support', french), id);
    expect(seen.map(({ deviceName }) => deviceName)).toEqual([null, 'Eva Lang in FR']);
    expect((await getCase(fixture.deps, viewerWith('Support', french), id)).devices).toMatchObject([
      { name: 'Eva Lang in FR', entries: 1 },
    ]);
  });
});

describe('the search', () => {
  const find = async (viewer: Viewer, text: string) => {
    const found = await findPeopleAndCases(fixture.deps, viewer, { text, limit: 5 });
    return found.filter(({ kind }) => kind === 'case');
  };

  it('finds a case by its ticket and by its person, if it is visible', async () => {
    const { id } = await open(support, await seedPerson(test.database, 'Zoe Quint'));
    expect(await find(support, 't-100')).toMatchObject([{ kind: 'case', id, label: 'T-100' }]);
    expect(await find(support, id)).toMatchObject([{ id, score: 100 }]);
    const byPerson = await find(support, 'quint');
    expect(byPerson).toMatchObject([
      { id, detail: expect.stringMatching(/^Zoe Quint \(.+\) · does not print$/) },
    ]);
    expect(await find(viewerWith('Viewer'), 'T-100')).toEqual([]);
    const stranger = viewerWith('Support', { ...everywhere, countries: ['FR'] });
    expect(await find(stranger, 'T-100')).toEqual([]);
  });
});
