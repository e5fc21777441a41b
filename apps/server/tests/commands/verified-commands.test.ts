import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { CommandMessages } from '../../src/commands/execution/command-messages.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { getUndoOffer, undoRun, type UndoRun } from '../../src/commands/undo/undo-run.ts';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { deprecateDocument } from '../../src/documents/deprecate-document.ts';
import { exportDocument } from '../../src/documents/export-document.ts';
import { getDocumentVersion } from '../../src/documents/get-document-version.ts';
import { wholePayload } from '../../src/gateway/broker/whole-payload.ts';
import {
  type CommandFixture,
  createCommandFixture,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

const NAME = 'acme-set-channel';
const step = (name: string): string =>
  `- action: aws:runShellScript\n    name: ${name}\n    inputs: { runCommand: ['true'] }\n`;
const content = `schemaVersion: '2.2'\nparameters:\n  channel: { type: String }\n  key: { type: String, default: hidden-key }\nmainSteps:\n  ${step('set')}`;
const phasesText = `preCheck:\n  ${step('look')}verify:\n  ${step('see')}undo:\n  ${step('back')}`;
const administrator = viewerWith('Administrator');
const target = (deviceIds: string[]) => ({ kind: 'devices' as const, deviceIds });

let test: TestDatabase;
let fixture: CommandFixture;
let deviceIds: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await createDocument(fixture.deps, administrator, {
    name: NAME,
    description: '',
    consequence: 'disrupts',
    secretParameters: ['key'],
    labels: {},
    content,
    phasesText,
    note: '',
    origin,
  });
  await publishVersion(fixture.deps, administrator, { name: NAME, version: 1 });
  deviceIds = await seedDevices(test.database, [{}, {}, { country: 'FR' }]);
});
afterAll(() => test[Symbol.asyncDispose]());

const run = () =>
  runCommand(
    fixture.deps,
    administrator,
    runInput({
      command: 'document',
      document: NAME,
      target: target(deviceIds),
      parameters: { channel: '11', key: 'secret-key' },
    }),
  );

/** States of the steps in order, as reported by devices. */
async function end(runId: string, deviceId: string | undefined, steps: readonly string[]) {
  const failed = steps.includes('Failed');
  const rows = steps.map((state, index) => ({ index, name: 'x', action: 'x', state }));
  await test.database.orm.execute(sql`
    update invocation set state = ${failed ? 'Failed' : 'Success'}, ended_at = now(),
      status_details = ${failed ? 'Pre-check Failed' : 'Success'}, steps = ${JSON.stringify(rows)}::jsonb
    where run_id = ${runId} and device_id = ${deviceId}`);
}

const undo = (runId: string, more: Partial<UndoRun> = {}): UndoRun => ({
  runId,
  deviceId: null,
  comment: '',
  agreement: nothingShown,
  confirmation: '',
  idempotencyKey: randomUUID(),
  origin,
  ...more,
});
const offer = (runId: string, viewer = administrator) =>
  getUndoOffer(fixture.deps, viewer, { runId, deviceId: null });

async function messageOf(runId: string) {
  const { rows } = await test.database.orm.execute(
    sql`select id, device_id as "deviceId" from invocation where run_id = ${runId} order by device_id`,
  );
  const now = new Date();
  const claimed = (rows as { id: string; deviceId: string }[]).map((row) => ({
    ...row,
    attempt: 1,
    deliverBefore: now,
    expiresAt: now,
  }));
  const messages = new CommandMessages({ ...fixture.deps, artefactUploadUrl: () => null });
  const make = await messages.makerOf(runId);
  const made = await make(claimed);
  return made.map((message) => JSON.parse(wholePayload(message)) as Record<string, unknown>);
}

function stepNames(message: Record<string, unknown> | undefined): string[] {
  const sent = message?.['content'] as { mainSteps: { name: string }[] } | undefined;
  return sent?.mainSteps.map(({ name }) => name) ?? [];
}

it('a device gets pre-check and verify steps with the document, and reports their phase', async () => {
  const { id } = await run();
  const [message] = await messageOf(id);
  expect(stepNames(message)).toEqual(['look', 'set', 'see']);
  expect(message).toMatchObject({ phases: { preCheck: 1, verify: 1 }, isUndo: false });
  expect(message?.['undoNotesOf']).toBe(message?.['invocationId']);
});

it('a result contains the phase of every step, including steps that were not reported yet', async () => {
  const { id } = await run();
  const { rows } = await test.database.orm.execute(
    sql`select id from invocation where run_id = ${id} limit 1`,
  );
  const invocationId = (rows[0] as { id: string }).id;
  const read = { id: invocationId, stdoutFrom: 0, stderrFrom: 0 };
  const { steps } = await getInvocation(fixture.deps, administrator, read);
  expect(steps.map(({ name, phase, state }) => [name, phase, state])).toEqual([
    ['look', 'preCheck', 'Pending'],
    ['set', 'main', 'Pending'],
    ['see', 'verify', 'Pending'],
  ]);
});

it('undo targets the devices on which the document took effect, each once', async () => {
  const { id } = await run();
  const [one, other, third] = deviceIds;
  expect((await offer(id)).hindrance).toBe('no-effect');
  await end(id, one, ['Success', 'Success', 'Success']);
  await end(id, other, ['Failed', 'Skipped', 'Skipped']);
  await end(id, third, ['Success', 'Success', 'Failed']);
  expect(await offer(id)).toMatchObject({
    count: 2,
    hindrance: null,
    consequence: 'disrupts',
    parameters: { channel: '11', key: '••••••••' },
    allowed: true,
  });
  const request = undo(id, { deviceId: one ?? '' });
  const first = await undoRun(fixture.deps, administrator, request);
  expect(first).toMatchObject({ undoes: id, deviceId: one });
  // The same request returns the same undo; another one targets only the remaining devices.
  expect((await undoRun(fixture.deps, administrator, request)).id).toBe(first.id);
  const rest = await undoRun(fixture.deps, administrator, undo(id));
  expect(rest).toMatchObject({ undoes: id, deviceId: third });
  expect(await offer(id)).toMatchObject({ count: 0, hindrance: 'undone' });
  expect((await offer(id)).undoneBy.map(({ runId }) => runId)).toEqual([rest.id, first.id]);
  await expect(undoRun(fixture.deps, administrator, undo(id))).rejects.toMatchObject({
    errorName: 'invalidParameters',
    facts: { hindrance: 'undone' },
  });
  expect((await offer(first.id)).hindrance).toBe('is-undo');
  // A failed undo has undone nothing.
  await end(first.id, one, ['Failed']);
  expect(await offer(id)).toMatchObject({ count: 1, hindrance: null });
});

it('an undo sends the undo steps, the secrets of the run, and the location of its notes', async () => {
  const { id } = await run();
  const [one] = deviceIds;
  await end(id, one, ['Success', 'Success', 'Success']);
  const { rows } = await test.database.orm.execute(
    sql`select id from invocation where run_id = ${id} and device_id = ${one}`,
  );
  const taken = await undoRun(fixture.deps, administrator, undo(id));
  const [message] = await messageOf(taken.id);
  expect(message).toMatchObject({
    isUndo: true,
    phases: { preCheck: 0, verify: 0 },
    parameters: { channel: '11', key: 'secret-key' },
    undoNotesOf: (rows[0] as { id: string }).id,
  });
  expect(stepNames(message)).toEqual(['back']);
  await end(taken.id, one, ['Failed']);
  const again = await rerunCommand(fixture.deps, administrator, {
    runId: taken.id,
    onlyFailed: false,
    answer: null,
    agreement: nothingShown,
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin,
  });
  expect(again.undoes).toBe(id);
});

it('the audit trail links an undo to its run', async () => {
  const { id } = await run();
  await end(id, deviceIds[0], ['Success', 'Success', 'Success']);
  const taken = await undoRun(fixture.deps, administrator, undo(id));
  const { rows } = await test.database.orm.execute(sql`
    select data->>'undoes' as undoes, data->'parameters'->>'key' as key from audit_event
    where type = 'command.requested' and data->>'runId' = ${taken.id}`);
  expect(rows).toEqual([{ undoes: id, key: '••••••••' }]);
});

it('an undo needs permission to run the document, and shows only devices in scope', async () => {
  const { id } = await run();
  for (const deviceId of deviceIds) await end(id, deviceId, ['Success', 'Success', 'Success']);
  const support = viewerWith('Support');
  expect(await offer(id, support)).toMatchObject({
    allowed: false,
    missingPermission: 'commands:run:@disrupts',
  });
  await expect(undoRun(fixture.deps, support, undo(id))).rejects.toMatchObject({
    errorName: 'noPermission',
  });
  const inFrance = viewerWith('Operator', { countries: ['FR'], models: [], labels: {} });
  expect((await offer(id, inFrance)).count).toBe(1);
});

it('a changed phase is a new version that is reviewed, and an undo works after its version is deprecated', async () => {
  const { id } = await run();
  await end(id, deviceIds[0], ['Success', 'Success', 'Success']);
  const added = await addDocumentVersion(fixture.deps, administrator, {
    name: NAME,
    basedOn: 1,
    content,
    phasesText: phasesText.replace('undo:', '# how to go back\nundo:'),
    note: '',
    origin,
  });
  const [latest] = added.versions;
  expect(latest).toMatchObject({ version: 2, state: 'draft' });
  expect(latest?.sha256).not.toBe(added.versions[1]?.sha256);
  await deprecateDocument(fixture.deps, administrator, { name: NAME, version: null, origin });
  await expect(run()).rejects.toMatchObject({ errorName: 'invalidParameters' });
  expect(await undoRun(fixture.deps, administrator, undo(id))).toMatchObject({ undoes: id });
});

it('phases are kept in the export to another portal', async () => {
  const file = await exportDocument(fixture.deps, { name: NAME, version: 1, format: 'PORTAL' });
  const whole = JSON.parse(file.content) as Record<string, unknown>;
  expect(whole).toMatchObject({
    Name: NAME,
    Content: content,
    DevicePortal: { consequence: 'disrupts', secretParameters: ['key'], phasesText },
  });
  // The SSM format does not contain them.
  const plain = await exportDocument(fixture.deps, { name: NAME, version: 1, format: null });
  expect(plain.content).toBe(content);
  const { phases } = await getDocumentVersion(fixture.deps, administrator, {
    name: NAME,
    version: 1,
  });
  expect(phases.undo?.map(({ name }) => name)).toEqual(['back']);
});
