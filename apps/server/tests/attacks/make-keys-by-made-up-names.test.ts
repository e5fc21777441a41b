import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { recordAudit, type AuditDraft } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { eraseNow, seedCustomer, seedUser } from '../personal-data/seeded-people.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const NAMES = 200;
let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

const record = (...events: AuditDraft[]) =>
  inTransaction(portal.database, (tx) => recordAudit(tx, events));

const refusedSignIn = (name: string): AuditDraft => ({
  type: 'access.sign-in-refused',
  actor: { kind: 'user', id: null, name, address: '192.0.2.9' },
});
const ofDevice = (username: string): AuditDraft => ({
  type: 'device.refused',
  actor: { kind: 'device', id: newId(), name: 'device', address: null },
  data: { username, sourceIdentity: `${username} too`, subject: 'made up' },
});

async function countKeys(): Promise<number> {
  return (await portal.database.pool.query('select from person_key')).rowCount ?? 0;
}

const stored = async (): Promise<string> => {
  const { rows } = await portal.database.pool.query<{ text: string }>(
    'select e::text as text from audit_event e',
  );
  return rows.map(({ text }) => text).join('\n');
};

const find = async (text: string) =>
  (
    await listAuditEvents(portal, viewerWith('Auditor'), {
      ...{ filter: auditFilterSchema.parse({ text }), pageSize: 50, cursor: null },
    })
  ).rows;

test('however many names a stranger or a device makes up, they get one key, and are sealed', async () => {
  await record(refusedSignIn('first@stranger.example'));
  const before = await countKeys();
  for (let number = 0; number < NAMES; number += 1) {
    const name = `made-up-${number}`;
    await record(refusedSignIn(name), ofDevice(name));
  }
  expect(await countKeys()).toBe(before);
  expect(await stored()).not.toMatch(/made-up-|stranger/);
  expect(await find('made-up-7')).toMatchObject([
    { data: { username: 'made-up-7', sourceIdentity: 'made-up-7 too' } },
    { actor: { name: 'made-up-7', address: '192.0.2.9' } },
  ]);
});

test('a name that a stranger typed is not shown once the person of that name is erased', async () => {
  await record(refusedSignIn('maria@example.com'));
  expect(await find('maria@example.com')).toHaveLength(1);
  await eraseNow(portal.database, await seedUser(portal.database, 'Maria@example.com'));
  expect(await find('maria@example.com')).toEqual([]);
  const [event] = await find('access.sign-in-refused');
  expect(event?.actor).toMatchObject({ name: expect.stringMatching(/^erased-/), address: null });
});

test('what is written of a customer by name is sealed with the key of the customer', async () => {
  const customer = await seedCustomer(portal.database, 'carla-quill');
  await record(refusedSignIn('carla-quill'));
  const { rows } = await portal.database.pool.query('select from person_key where person = $1', [
    customer.id,
  ]);
  expect(rows).toHaveLength(1);
});
