import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFilterSchema, type AuditType } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';
import { viewerWith } from '../support/command-world.ts';

const at = '2026-11-01T00:00:00.000Z';
const runId = newId();
let bed: TestDatabase;

beforeAll(async () => {
  bed = await createTestDatabase();
  const event = (type: AuditType, data: Record<string, unknown>) =>
    ({ type, actor: systemActor, runId, data }) as const;
  await inTransaction(bed.database, (tx) =>
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
  await bed[Symbol.asyncDispose]();
});

async function namesOf(filter: {
  readonly types: string[];
  readonly runId?: string;
}): Promise<unknown[]> {
  const { rows } = await listAuditEvents(bed, viewerWith('Auditor'), {
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
