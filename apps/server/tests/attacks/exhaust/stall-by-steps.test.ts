import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_STEPS } from '@deviceportal/contract/document-phases';
import { journalMessageSchema } from '@deviceportal/device-protocol/journal';
import { applyInvocationEntries } from '../../../src/commands/execution/apply-invocation-entries.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { parseUpMessage } from '../../../src/gateway/parse-up-message.ts';
import { isPlainJournal } from '../../../src/gateway/journal/plain-journal.ts';
import {
  foldInvocationEntries,
  type InvocationEntry,
  type InvocationProgress,
} from '../../../src/commands/execution/fold-invocation-entries.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
} from '../../support/command-fixture.ts';
import { createTestDatabase } from '../../support/database/create-test-database.ts';

const at = '2026-01-01T00:00:00.000Z';
const invocationId = randomUUID();

const stepAt = (index: number, seq: number) => ({
  seq,
  at,
  kind: 'invocation-step' as const,
  invocationId,
  index,
  name: 'step',
  action: 'aws:runShellScript',
  state: 'Success' as const,
  exitCode: 0,
  startedAt: at,
  endedAt: at,
  reason: null,
});

const read = (entries: readonly object[]) => {
  const payload = Buffer.from(JSON.stringify({ instanceId: 'i', epoch: randomUUID(), entries }));
  return parseUpMessage(journalMessageSchema, payload, isPlainJournal);
};

test('a device cannot report a step beyond those a document can have', () => {
  expect(read([stepAt(MAX_STEPS - 1, 1)]).fault).toBeUndefined();
  expect(read([stepAt(MAX_STEPS, 1)]).fault ?? 'taken').toMatch(/index/);
});

test('a device cannot stall the server with 16,000 reports of steps', () => {
  const before: InvocationProgress = {
    state: 'InProgress',
    statusDetails: 'InProgress',
    responseCode: null,
    sentAt: at,
    startedAt: at,
    endedAt: null,
    steps: [],
    outputPreview: '',
    stdoutLength: 0,
    stderrLength: 0,
    outputStored: 0,
    outputTruncated: false,
  };
  // More than the schema permits, to test the bound of the fold itself.
  const entries = Array.from({ length: 16_000 }, (_, seq): InvocationEntry =>
    stepAt(15_999 - seq, seq + 1),
  );
  const startedMs = performance.now();
  const { progress } = foldInvocationEntries(before, entries, new Date());
  const tookMs = performance.now() - startedMs;
  expect(progress.steps).toHaveLength(16_000);
  expect(progress.steps[0]).toMatchObject({ index: 0 });
  expect(tookMs).toBeLessThan(200);
});

test('a device cannot store steps that the document of its command does not have', async () => {
  await using setup = await createTestDatabase();
  const fixture = await createCommandFixture(setup.database);
  const [deviceId = ''] = await seedDevices(setup.database, [{}]);
  const run = await runCommand(
    fixture.deps,
    viewerWith('Operator'),
    runInput({ command: 'logs/collect', target: { kind: 'devices', deviceIds: [deviceId] } }),
  );
  const own = run.invocationId ?? '';
  const { rows } = await setup.database.pool.query<{ steps: number }>(
    `select json_array_length(v.parsed -> 'mainSteps') + coalesce(json_array_length(v.phases -> 'preCheck'), 0)
       + coalesce(json_array_length(v.phases -> 'verify'), 0) as steps
     from document_version v join command_run r on (r.document_name, r.document_version) = (v.document_name, v.version)
     where r.id = $1`,
    [run.id],
  );
  const steps = rows[0]?.steps ?? 0;
  expect(steps).toBeGreaterThan(0);
  const reports = Array.from({ length: MAX_STEPS }, (_, index) => ({
    ...{ deviceId, deviceName: 'x' },
    entry: { ...stepAt(index, index + 1), invocationId: own },
  }));
  await inTransaction(setup.database, (tx) => applyInvocationEntries(tx, reports, new Date()));
  const kept = await setup.database.pool.query<{ count: number }>(
    'select jsonb_array_length(steps) as count from invocation where id = $1',
    [own],
  );
  expect(kept.rows[0]?.count).toBe(steps);
});
