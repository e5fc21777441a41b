import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { PersonErased, PersonRecordExport } from '@deviceportal/contract/personal-data';
import type { AccessDesk } from '../support/access-desk.ts';
import {
  createPersonalDataWorld,
  type PersonalDataWorld,
} from '../personal-data/personal-data-world.ts';

const COLLEAGUE = 'wei.wang@example.com';
let world: PersonalDataWorld;
let caseId = '';
let user: UserRow;
let desk: AccessDesk;

beforeAll(async () => {
  world = await createPersonalDataWorld();
  const [, colleague] = await world.user(COLLEAGUE, 'Administrator');
  const { id: personId } = await world.customer('Customer');
  ({ id: caseId } = await colleague.done<{ id: string }>('cases.open', { personId }));
  await colleague.done('cases.close', { id: caseId, outcome: 'resolved', text: 'confidential' });
  [user, desk] = await world.user(`namesake-${randomUUID()}@example.com`, 'Viewer');
});
afterAll(() => world[Symbol.asyncDispose]());

const call = (name: string) =>
  world.pool.query('update portal_user set name = $2 where id = $1', [user.id, name]);
const closedBy = async () =>
  (await world.pool.query('select closed_by from support_case where id = $1', [caseId])).rows;

test('the record of a user who has the name of another contains no row of the other', async () => {
  await call(COLLEAGUE);
  const { downloadUrl } = await desk.done<PersonRecordExport>('personalData.exportOwn');
  const record = await (await fetch(new URL(downloadUrl, world.portal.url))).text();
  expect(record).toContain(user.username);
  expect(record).not.toContain(caseId);
});

test('to erase a user who has the name of another, or of a field, leaves the rows of others as they are', async () => {
  const before = await closedBy();
  await world.pool.query(
    `update case_entry set data = '{"type": "text", "text": "text"}'::jsonb where case_id = $1`,
    [caseId],
  );
  await world.leave(user);
  await world.pool.query('update portal_user set name = $2, email = $3 where id = $1', [
    ...[user.id, 'text', COLLEAGUE],
  ]);
  await world.admin.done<PersonErased>('personalData.erase', {
    ...{ kind: 'user', id: user.id, username: user.username },
  });
  expect(await closedBy()).toEqual(before);
  const { rows } = await world.pool.query('select data from case_entry where case_id = $1', [
    caseId,
  ]);
  expect(rows.length).toBeGreaterThan(0);
  for (const { data } of rows) expect(data).toEqual({ type: 'text', text: 'text' });
});
