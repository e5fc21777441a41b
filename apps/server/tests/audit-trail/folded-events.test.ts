import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema, type AuditType } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { viewerWith } from '../support/command-fixture.ts';

const at = '2026-11-01T00:00:00.000Z';
const runId = newId();
let setup: TestDatabase;

beforeAll(async () => {
  setup = await createTestDatabase();
  const event = (type: AuditType, data: Record<string, unknown>) =>
    ({ type, actor: systemActor, runId, data }) as const;
  await inTransaction(setup.database, (tx) =>
    recordAudit(tx, [
      event('command.requested', { name: 'sent at once', sentAt: at }),
      event('command.finished', { name: 'started and ended', startedAt: at }),
      event('command.requested', { name: 'waits' }),
      event('command.sent', { name: 'sent later' }),
      event('command.started', { name: 'started' }),
      event('command.finished', { name: 'ended' }),
    ]),
  );
});
afterAll(async () => {
  await setup[Symbol.asyncDispose]();
});

async function namesOf(filter: {
  readonly types: string[];
  readonly runId?: string;
}): Promise<unknown[]> {
  const { rows } = await listAuditEvents(setup, viewerWith('Auditor'), {
    filter: { ...auditFilterSchema.parse({}), ...filter },
    pageSize: 25,
    cursor: null,
  });
  return rows.map(({ data }) => data['name']).toSorted();
}

test.for([undefined, runId])(
  '[folded-1] a step is found in the event that tells of two',
  async (within) => {
    const lead = within === undefined ? {} : { runId: within };
    expect(await namesOf({ types: ['command.sent'], ...lead })).toEqual([
      'sent at once',
      'sent later',
    ]);
    expect(await namesOf({ types: ['command.started'], ...lead })).toEqual([
      'started',
      'started and ended',
    ]);
    expect(await namesOf({ types: ['command.finished'], ...lead })).toEqual([
      'ended',
      'started and ended',
    ]);
    expect(await namesOf({ types: ['command.sent', 'command.requested'], ...lead })).toHaveLength(
      3,
    );
    expect(await namesOf({ types: ['command.*'], ...lead })).toHaveLength(6);
  },
);

test('a page does not end within a group of repeated events, and the next page continues after it', async () => {
  const user = (id: string) => ({ kind: 'user', id, name: id, address: null }) as const;
  const [flapping, other] = [user(newId()), user(newId())];
  const events = [
    ...Array.from({ length: 3 }, () => ({ type: 'access.role-edited' as const, actor: other })),
    ...Array.from({ length: 7 }, (_, index) => ({
      type: index % 2 === 0 ? ('access.signed-in' as const) : ('access.signed-out' as const),
      actor: flapping,
    })),
    { type: 'access.role-edited' as const, actor: other },
  ];
  await inTransaction(setup.database, (tx) =>
    recordAudit(
      tx,
      events.map((event, index) => ({ ...event, at: new Date(Date.UTC(2026, 9, 1, 0, index)) })),
    ),
  );
  const pageAfter = (cursor: string | null, whole: boolean) =>
    listAuditEvents(setup, viewerWith('Auditor'), {
      filter: { ...auditFilterSchema.parse({}), types: ['access.*'] },
      ...{ pageSize: 3, cursor, whole },
    });
  const first = await pageAfter(null, true);
  expect(first.rows).toHaveLength(8);
  const second = await pageAfter(first.nextCursor, true);
  expect(second.rows).toHaveLength(3);
  const cut = await pageAfter(null, false);
  expect(cut.rows).toHaveLength(3);
  const ids = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(new Set(ids).size).toBe(events.length);
});
