import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { PersonRecordExport } from '@deviceportal/contract/personal-data';
import type { AccessFixture } from '../support/access-fixture.ts';
import {
  createPersonalDataFixture,
  type PersonalDataFixture,
} from '../personal-data/personal-data-fixture.ts';

const COLLEAGUE = 'wei.wang@example.com';
let fixture: PersonalDataFixture;
let caseId = '';
let user: UserRow;
let setup: AccessFixture;

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
  const [, colleague] = await fixture.user(COLLEAGUE, 'Administrator');
  const { id: personId } = await fixture.customer('Customer');
  ({ id: caseId } = await colleague.done<{ id: string }>('cases.open', { personId }));
  await colleague.done('cases.close', { id: caseId, outcome: 'resolved', text: 'confidential' });
  [user, setup] = await fixture.user(`namesake-${randomUUID()}@example.com`, 'Viewer');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const call = (name: string) =>
  fixture.pool.query('update portal_user set name = $2 where id = $1', [user.id, name]);
const closedBy = async () =>
  (await fixture.pool.query('select closed_by from support_case where id = $1', [caseId])).rows;

test('the record of a user with the same name as another contains no row of the other', async () => {
  await call(COLLEAGUE);
  const { downloadUrl } = await setup.done<PersonRecordExport>('personalData.exportOwn');
  const record = await (await fetch(new URL(downloadUrl, fixture.portal.url))).text();
  expect(record).toContain(user.username);
  expect(record).not.toContain(caseId);
});

test('erasing a user with the same name as another, or as a field, leaves other rows unchanged', async () => {
  const before = await closedBy();
  await fixture.pool.query(
    `update case_entry set data = '{"type": "text", "text": "text"}'::jsonb where case_id = $1`,
    [caseId],
  );
  await fixture.leave(user);
  await fixture.pool.query('update portal_user set name = $2, email = $3 where id = $1', [
    ...[user.id, 'text', COLLEAGUE],
  ]);
  await fixture.erase({ kind: 'user', id: user.id, username: user.username });
  expect(await closedBy()).toEqual(before);
  const { rows } = await fixture.pool.query('select data from case_entry where case_id = $1', [
    caseId,
  ]);
  expect(rows.length).toBeGreaterThan(0);
  for (const { data } of rows) expect(data).toEqual({ type: 'text', text: 'text' });
});
