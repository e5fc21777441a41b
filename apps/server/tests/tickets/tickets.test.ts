import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getCase } from '../../src/cases/get-case.ts';
import { retryTicket } from '../../src/tickets/create-ticket.ts';
import { getTicketSystem, testTicketSystem } from '../../src/tickets/save-ticket-system.ts';
import { callerIn } from '../cases/case-fixture.ts';
import { createCommandFixture, type CommandFixture } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { TicketStandIn } from './ticket-stand-in.ts';
import { SECRET, TicketsFixture } from './tickets-fixture.ts';

let db: TestDatabase;
let commands: CommandFixture;
let portal: TicketsFixture;
let system: TicketStandIn;

beforeAll(async () => {
  db = await createTestDatabase();
  commands = await createCommandFixture(db.database);
});
beforeEach(async () => {
  await db.owner.orm.execute(sql`
    truncate support_case, case_worker, case_entry, ticket_system, case_ticket, ticket_delivery`);
  portal = await TicketsFixture.open(commands);
  system = await TicketStandIn.start();
});
afterEach(() => system[Symbol.asyncDispose]());
afterAll(() => db[Symbol.asyncDispose]());

const sent = (): string => system.requests.map(({ path, body }) => `${path} ${body}`).join('\n');

describe.each(['jira', 'servicenow'] as const)('%s', (kind) => {
  const tickets = () => (kind === 'jira' ? system.issues : system.incidents);
  const comments = () =>
    kind === 'jira'
      ? system.issues.flatMap((issue) => issue.comments.map((each) => JSON.stringify(each)))
      : system.incidents.flatMap(({ notes }) => notes);
  const isClosed = () =>
    kind === 'jira' ? system.issues[0]?.status === 'done' : system.incidents[0]?.['state'] === '6';

  test('a case gets a ticket, which is told of notes and closed with the case', async () => {
    await portal.connect(portal.settings(kind, system.url));
    const id = await portal.openCase();
    expect(await portal.create(id)).toMatchObject({ ticket: null, pending: [{ act: 'create' }] });
    await portal.note(id, 'the cable is broken');
    await portal.close(id);
    await portal.deliver();
    expect(tickets()).toHaveLength(1);
    expect(comments()).toHaveLength(2);
    expect(isClosed()).toBe(true);
    const { ticket, pending } = await portal.ticketOf(id);
    const key = kind === 'jira' ? 'SUP-1' : 'INC0000001';
    expect([ticket?.key, pending]).toEqual([key, []]);
    expect((await getCase(portal.deps, portal.support, id)).ticket).toBe(key);
    expect(ticket?.url).toMatch(kind === 'jira' ? /\/browse\/SUP-1$/ : /sys_id%3Ds1$/);
    const [request] = system.requests;
    expect(request?.authorization).toBe(
      `Basic ${Buffer.from(`portal@example.com:${SECRET}`).toString('base64')}`,
    );
  });

  test('by default, no text and no personal data leave the portal', async () => {
    await portal.connect(portal.settings(kind, system.url));
    const id = await portal.openCase();
    await portal.create(id);
    await portal.note(id, 'Maria Gomez: password hunter2');
    await portal.close(id, 'called maria');
    await portal.deliver();
    expect(sent()).toContain(`https://portal.example.com/cases/${id}`);
    for (const word of ['Maria', 'maria', 'print', 'hunter2', '10.1.2.3', 'Lockers'])
      expect(sent()).not.toContain(word);
  });

  test('shared texts have no personal data, unless the setting allows it', async () => {
    await portal.connect(portal.settings(kind, system.url, 'redacted-texts'));
    const id = await portal.openCase();
    await portal.create(id);
    await portal.note(id, 'Gomez Maria has no paper');
    await portal.deliver();
    expect(sent()).toContain('cannot print');
    expect(sent()).toContain('has no paper');
    for (const word of ['Maria', 'Gomez', '10.1.2.3']) expect(sent()).not.toContain(word);
    await portal.connect(portal.settings(kind, system.url, 'personal-data'));
    await portal.note(id, 'Maria Gomez has paper');
    await portal.deliver();
    expect(sent()).toContain('Maria Gomez has paper');
  });

  test('a message whose answer was lost is not sent twice', async () => {
    await portal.connect(portal.settings(kind, system.url));
    const id = await portal.openCase();
    await portal.create(id);
    system.troubles.push('lost-answer');
    await portal.deliver();
    expect(tickets()).toHaveLength(1);
    await portal.note(id, 'once');
    system.troubles.push('lost-answer');
    await portal.deliver();
    expect(comments()).toHaveLength(1);
    expect((await portal.ticketOf(id)).pending).toEqual([]);
  });

  test('a system that is down is asked again, one that rejects is shown, and can be tried again', async () => {
    await portal.connect(portal.settings(kind, system.url));
    const id = await portal.openCase();
    await portal.create(id);
    system.troubles.push('500', '500');
    await portal.deliver();
    expect(tickets()).toHaveLength(1);
    await portal.note(id, 'one');
    await portal.note(id, 'two');
    system.troubles.push('401');
    await portal.deliver();
    const { pending } = await portal.ticketOf(id);
    expect(pending).toMatchObject([{ act: 'comment', state: 'failed', lastError: '401' }]);
    await retryTicket(portal.deps, callerIn(portal.support), id);
    await portal.deliver();
    expect(comments()).toHaveLength(2);
  });

  test('the connection can be tested without creating anything', async () => {
    await portal.connect(portal.settings(kind, system.url));
    expect(await testTicketSystem(portal.deps)).toEqual({ ok: true, error: null });
    system.troubles.push('401');
    expect(await testTicketSystem(portal.deps)).toEqual({ ok: false, error: '401' });
    expect(tickets()).toEqual([]);
  });
});

test('a case has one ticket, also for requests at the same time', async () => {
  await portal.connect(portal.settings('jira', system.url));
  const id = await portal.openCase();
  await Promise.all([1, 2, 3].map(() => portal.create(id)));
  await portal.deliver();
  expect(system.issues).toHaveLength(1);
});

test('the secret is stored encrypted, and only its end is shown', async () => {
  await portal.connect(portal.settings('jira', system.url));
  expect(await getTicketSystem(portal.deps)).toMatchObject({
    secretEnd: '••••ount',
    settings: { secret: '' },
  });
  const { rows } = await db.database.orm.execute(sql`
    select row_to_json(s)::text as stored from ticket_system s
    union all select data::text from audit_event where type = 'settings.ticket-system-saved'`);
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});
