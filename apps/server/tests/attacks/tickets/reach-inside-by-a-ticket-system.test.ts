import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveTicketSystemInput } from '@deviceportal/contract/ticket-systems';
import { internalHostsOf } from '../../../src/platform/outside/internal-hosts.ts';
import { createTicket, getTicketOfCase, retryTicket } from '../../../src/tickets/create-ticket.ts';
import { deliverTickets } from '../../../src/tickets/deliver-tickets.ts';
import { saveTicketSystem } from '../../../src/tickets/save-ticket-system.ts';
import { callerIn } from '../../cases/case-fixture.ts';
import {
  createCommandFixture,
  may,
  viewerHolding,
  viewerWith,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { TicketStandIn } from '../../tickets/ticket-stand-in.ts';
import { TicketsFixture } from '../../tickets/tickets-fixture.ts';

let db: TestDatabase;
let portal: TicketsFixture;
let system: TicketStandIn;
const administrator = callerIn(viewerWith('Administrator'));

beforeAll(async () => {
  db = await createTestDatabase();
  portal = await TicketsFixture.open(await createCommandFixture(db.database));
  system = await TicketStandIn.start();
});
beforeEach(async () => {
  await db.owner.orm.execute(sql`
    truncate support_case, case_worker, case_entry, ticket_system, case_ticket, ticket_delivery`);
  system.requests.length = 0;
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const withoutInside = () => ({
  ...portal.deps,
  tickets: { ...portal.deps.tickets, internalHosts: internalHostsOf([]) },
});

test.each([
  ...['https://127.0.0.1', 'https://localhost', 'https://[::1]', 'https://169.254.169.254'],
  ...['https://2130706433', 'https://[::ffff:10.0.0.1]'],
])('the address %s is rejected', async (url) => {
  const saved = saveTicketSystem(withoutInside(), administrator, portal.settings('jira', url));
  await expect(saved).rejects.toMatchObject({ reason: 'alert-address-internal' });
});

test('an address with credentials is rejected', () => {
  const settings = portal.settings('jira', 'https://user:password@example.com');
  expect(saveTicketSystemInput.safeParse(settings).success).toBe(false);
});

test('a name that leads inside after it was saved gets no request', async () => {
  await portal.connect(portal.settings('jira', system.url));
  const id = await portal.openCase();
  await portal.create(id);
  await deliverTickets(withoutInside());
  expect(system.requests).toEqual([]);
  expect((await portal.ticketOf(id)).pending).toMatchObject([
    { state: 'failed', lastError: 'INTERNAL_ADDRESS' },
  ]);
});

test('a redirect is not followed', async () => {
  await portal.connect(portal.settings('servicenow', system.url));
  const id = await portal.openCase();
  await portal.create(id);
  system.troubles.push('redirect');
  await deliverTickets(portal.deps);
  expect(system.requests).toHaveLength(1);
  expect((await portal.ticketOf(id)).pending).toMatchObject([
    { state: 'failed', lastError: '302' },
  ]);
});

test('a stored secret is not sent to another address or account', async () => {
  const settings = portal.settings('jira', system.url);
  await portal.connect(settings);
  for (const change of [{ url: `${system.url}/evil` }, { account: 'other@example.com' }]) {
    const moved = portal.connect({ ...settings, ...change, secret: '' });
    await expect(moved).rejects.toMatchObject({ reason: 'ticket-secret-missing' });
  }
  await portal.connect({ ...settings, secret: '', shares: 'redacted-texts' });
});

test('a user cannot reach the ticket of a case outside their scope', async () => {
  await portal.connect(portal.settings('jira', system.url));
  const id = await portal.openCase();
  const scope = { countries: ['XX'], models: [], labels: {} };
  const stranger = viewerHolding([may(['cases:manage', 'people:read', 'devices:read'], scope)]);
  const caller = callerIn(stranger);
  const notFound = { errorName: 'notFound' };
  await expect(createTicket(portal.deps, caller, id)).rejects.toMatchObject(notFound);
  await expect(retryTicket(portal.deps, caller, id)).rejects.toMatchObject(notFound);
  await expect(getTicketOfCase(portal.deps, stranger, id)).rejects.toMatchObject(notFound);
});
