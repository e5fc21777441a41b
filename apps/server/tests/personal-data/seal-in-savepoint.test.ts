import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

test('names and addresses in an event that is recorded in a savepoint are sealed', async () => {
  await inTransaction(portal.database, (tx) =>
    tx.transaction((part) =>
      part.transaction((inner) =>
        recordAudit(inner, [
          {
            type: 'report.opened',
            actor: {
              kind: 'user',
              id: '018f0000-0000-7000-8000-000000000001',
              name: 'maria@example.com',
              address: '192.0.2.7',
            },
            requestId: null,
            data: { reportId: '018f0000-0000-7000-8000-000000000002', by: 'jonas@example.com' },
          },
        ]),
      ),
    ),
  );
  const { rows } = await portal.database.pool.query<{ text: string }>(
    'select e::text as text from audit_event e',
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toMatch(/maria|jonas|192\.0\.2\.7/);
});
