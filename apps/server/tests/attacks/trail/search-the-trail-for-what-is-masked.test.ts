import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { listAuditEvents } from '../../../src/audit-trail/list-audit-events.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { may, seedDevices, viewerHolding, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const faceless = viewerHolding([may(['audit-trail:read'])]);
const german = viewerHolding([
  may(['audit-trail:read', 'people:read'], { ...everywhere, countries: ['DE'] }),
]);

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const [deviceId = ''] = await seedDevices(db.database, [{ country: 'DE' }]);
  for (const name of ['quince', 'medlar', 'rowan']) {
    await db.database.pool.query(
      `insert into portal_user (id, subject, username, name) values ($1::uuid, $1::text, $2, $3)`,
      [newId(), `${name}@example.com`, name],
    );
  }
  const by = { actor: systemActor, deviceId };
  await inTransaction(db.database, (tx) =>
    recordAudit(tx, [
      { ...by, type: 'access.user-roles-changed', data: { username: 'quince@example.com' } },
      { ...by, type: 'document.approved', data: { author: 'medlar@example.com' } },
      { ...by, type: 'air-blast.taken-over', data: { from: 'rowan@example.com' } },
      { ...by, type: 'command.requested', runId: newId(), data: { targets: 4711, note: 'spare' } },
    ]),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const found = async (viewer: Viewer, text: string) => {
  const filter = auditFilterSchema.parse({ text });
  const page = await listAuditEvents(db, viewer, { filter, cursor: null, pageSize: 25 });
  return page.rows;
};

test.each(['quince', 'medlar', 'rowan'])(
  'a user without the permission for people cannot guess the name of %s letter by letter',
  async (name) => {
    expect(JSON.stringify(await found(faceless, ''))).not.toContain(name);
    expect(await found(faceless, name.slice(0, 4))).toEqual([]);
    expect(await found(viewerWith('Auditor'), name.slice(0, 4))).toHaveLength(1);
  },
);

test('a user with a scope cannot guess how many devices of a run are outside it', async () => {
  expect(await found(german, '4711')).toEqual([]);
  expect(await found(viewerWith('Auditor'), '4711')).toHaveLength(1);
});

test('visible values are found by both', async () => {
  expect(await found(faceless, 'spare')).toHaveLength(1);
  expect(await found(german, 'spare')).toHaveLength(1);
});
