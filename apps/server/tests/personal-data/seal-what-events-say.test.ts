import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEvent, AuditExport } from '@deviceportal/contract/audit-trail';
import type { Page } from '@deviceportal/contract/pages';
import type { ErasurePreview } from '@deviceportal/contract/personal-data';
import { createPersonalDataFixture, type PersonalDataFixture } from './personal-data-fixture.ts';

let fixture: PersonalDataFixture;

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const eventsOf = async (type: string): Promise<readonly AuditEvent[]> =>
  (
    await fixture.admin.read<Page<AuditEvent>>('auditTrail.list', {
      filter: { types: [type] },
      pageSize: 10,
    })
  ).rows;

test('tickets of cases are sealed in the audit trail, and cannot be read after the customer is erased', async () => {
  const { admin } = fixture;
  const { id: personId } = await fixture.customer('Carla Quill');
  const { id } = await admin.done<{ id: string }>('cases.open', { personId, ticket: 'QUILL-1' });
  await admin.done('cases.update', { id, ticket: 'QUILL-2', about: 'about' });
  await admin.done('cases.close', { id, outcome: 'resolved' });
  const shown = async () =>
    [...(await eventsOf('case.opened')), ...(await eventsOf('case.updated'))].map(
      ({ data }) => data,
    );
  expect(await shown()).toMatchObject([
    { ticket: 'QUILL-1' },
    { ticket: 'QUILL-2', ticketBefore: 'QUILL-1' },
  ]);
  const person = { kind: 'customer', id: personId } as const;
  const { username } = await admin.read<ErasurePreview>('personalData.preview', person);
  await fixture.erase({ ...person, username });
  expect(JSON.stringify(await shown())).not.toContain('QUILL');
  expect(await fixture.find('QUILL')).toEqual([]);
});

test('an export of the audit trail records that a text and an address were filtered, but not their values', async () => {
  await fixture.admin.done<AuditExport>('auditTrail.export', {
    ...{ format: 'csv', filter: { text: 'carla quill', address: '192.0.2.44' } },
  });
  const [event] = await eventsOf('audit-trail.exported');
  expect(event?.data).toMatchObject({ filter: { hasText: true, hasAddress: true } });
  expect(JSON.stringify(event?.data)).not.toMatch(/carla|192\.0\.2\.44/);
});
