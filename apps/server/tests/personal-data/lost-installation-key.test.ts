import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { openPersonalKeys } from '../../src/personal-data/keys/personal-keys-of.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { act, seedUser } from './seeded-people.ts';

let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

test('with another installation key, the audit trail can be read and written, and no name is written in plain text', async () => {
  const user = await seedUser(portal.database, 'maria@example.com');
  await act(portal.database, user);
  openPersonalKeys(portal.database, new Uint8Array(32).fill(9));
  await act(portal.database, user, { username: 'stranger@example.com' });
  const input = { filter: auditFilterSchema.parse({}), pageSize: 50, cursor: null, whole: false };
  const { rows } = await listAuditEvents(portal, viewerWith('Auditor'), input);
  expect(rows).toHaveLength(2);
  expect(rows[0]?.actor).toMatchObject({ id: user.id, name: user.id, address: null });
  const { rows: stored } = await portal.database.pool.query('select e::text from audit_event e');
  expect(JSON.stringify(stored)).not.toMatch(/maria@|stranger@|192\.0\.2/);
});
