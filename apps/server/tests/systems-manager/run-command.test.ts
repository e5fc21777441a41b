import { afterAll, beforeAll, expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { requestCancel } from '../../src/commands/execution/request-cancel.ts';
import { systemActor } from '../../src/audit-trail/record-audit.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { toldOnce, countSteps } from '../support/portal-person.ts';
import { NEW_AGENT, openRunCommandFixture, type RunCommandFixture } from './run-command-fixture.ts';

const ids = Array.from({ length: 51 }, (_, index) => `i-${String(index).padStart(4, '0')}`);
const OLD = 'i-old';

let fixture: RunCommandFixture;
let devices: readonly string[];
beforeAll(async () => {
  fixture = await openRunCommandFixture([
    ...ids.map((id) => ({ id, isOnline: true, agentVersion: NEW_AGENT })),
    { id: OLD, isOnline: true, agentVersion: '3.2.1000.0' },
  ]);
  await fixture.sync();
  devices = await Promise.all(ids.map((id) => fixture.deviceOf(id)));
});
afterAll(() => fixture[Symbol.asyncDispose]());

const [firstOf, secondOf] = [() => devices[0] ?? '', () => devices[1] ?? ''];

async function toldOf(runId: string): Promise<Record<string, number>> {
  const text = `select type, data from audit_event where run_id = $1 and type like 'command.%'`;
  return countSteps(await rowsOf(fixture.database, text, [runId]));
}

test('runs a command on instances and agents alike, once, with its steps and output', async () => {
  const [agent = ''] = await seedDevices(fixture.database, [{ name: 'with agent' }]);
  const started = fixture.ssm.executions.length;
  const run = await fixture.runShell([firstOf(), agent], 'echo out; echo err >&2; exit 3');
  const ended = await fixture.ended(run.id, firstOf());
  expect(ended).toMatchObject({
    state: 'Failed',
    responseCode: 3,
    stdout: { text: 'out\n' },
    stderr: { text: 'err\n' },
    instanceId: ids[0],
  });
  expect(ended.steps).toMatchObject([{ index: 0, state: 'Failed', exitCode: 3 }]);
  expect(fixture.ssm.executions).toHaveLength(started + 1);
  expect(fixture.published.map(({ deviceId }) => deviceId)).toEqual([agent]);
  expect(await toldOf(run.id)).toMatchObject({ 'command.finished': 1 });
});

test('the audit trail tells a command of an instance as one of an agent', async () => {
  const run = await fixture.runShell([firstOf()], 'true');
  expect((await fixture.ended(run.id, firstOf())).state).toBe('Success');
  expect(await toldOf(run.id)).toEqual(toldOnce);
});

test('sends to at most 50 instances at once, without limits besides those of the run', async () => {
  const [calls, started] = [fixture.ssm.count('SendCommand'), fixture.ssm.executions.length];
  const run = await fixture.runShell(devices, 'true');
  await Promise.all(devices.map((deviceId) => fixture.ended(run.id, deviceId)));
  expect(fixture.ssm.executions).toHaveLength(started + ids.length);
  const sent = fixture.ssm.calls.filter(({ operation }) => operation === 'SendCommand');
  const sizes = sent.slice(calls).map(({ input }) => (input['InstanceIds'] as string[]).length);
  expect(sizes.toSorted()).toEqual([1, 50]);
  const [row] = await rowsOf(fixture.database, 'select state from command_run where id = $1', [
    run.id,
  ]);
  expect(row).toEqual({ state: 'Success' });
});

test('publishes each content once and pins every command to its hash', async () => {
  const versions = fixture.ssm.documents.get('DevicePortal-shell') ?? [];
  expect(versions).toHaveLength(1);
  expect(fixture.ssm.count('CreateDocument')).toBe(1);
  expect(fixture.ssm.count('UpdateDocument')).toBe(0);
});

test('stops a running command', async () => {
  const run = await fixture.runShell([firstOf()], 'sleep 60');
  await until(async () => {
    const [row] = await rowsOf<{ at: Date | null }>(
      fixture.database,
      'select started_at as at from invocation where run_id = $1',
      [run.id],
    );
    return row?.at !== null;
  });
  const outcome = await inTransaction(fixture.database, (tx) =>
    requestCancel(tx, { target: { runId: run.id }, actor: systemActor, requestId: null }),
  );
  fixture.commands.deps.changes.publish(outcome.changes);
  expect((await fixture.ended(run.id, firstOf())).statusDetails).toBe('Cancelled');
});

test('what Systems Manager cannot deliver is undeliverable, for that instance only', async () => {
  const instance = fixture.ssm.instances[1];
  if (!instance) throw new Error('no instance');
  instance.isOnline = false;
  const run = await fixture.runShell([firstOf(), secondOf()], 'true');
  expect((await fixture.ended(run.id, firstOf())).state).toBe('Success');
  expect((await fixture.ended(run.id, secondOf())).statusDetails).toBe('Undeliverable');
  instance.isOnline = true;
});

test('a command that Systems Manager gave up ends as it says', async () => {
  fixture.ssm.isSlow = true;
  const before = fixture.ssm.commands.length;
  const run = await fixture.runShell([firstOf()], 'true');
  await until(async () => fixture.ssm.commands.length > before);
  fixture.ssm.isSlow = false;
  fixture.ssm.setStatus(ids[0] ?? '', 'TimedOut', 'DeliveryTimedOut');
  expect((await fixture.ended(run.id, firstOf())).statusDetails).toBe('Delivery Timed Out');
});

test('a refused call is repeated, and a permanent error ends the command with its reason', async () => {
  const started = fixture.ssm.executions.length;
  fixture.ssm.failNext('SendCommand', 'ThrottlingException');
  const repeated = await fixture.runShell([firstOf()], 'true');
  expect((await fixture.ended(repeated.id, firstOf())).state).toBe('Success');
  expect(fixture.ssm.executions).toHaveLength(started + 1);
  fixture.ssm.failNext('SendCommand', 'InvalidParameters');
  const refused = await fixture.runShell([firstOf()], 'true');
  const ended = await fixture.ended(refused.id, firstOf());
  expect(ended.state).toBe('Failed');
  expect(ended.stderr.text).toContain('InvalidParameters');
});

test('a lost answer leads to one execution', async () => {
  const own = await openRunCommandFixture(
    [{ id: 'i-lost', isOnline: true, agentVersion: NEW_AGENT }],
    { leaseSeconds: 1 },
  );
  await using _own = own;
  await own.sync();
  const deviceId = await own.deviceOf('i-lost');
  own.ssm.interruptNext('SendCommand', 'cut');
  const run = await own.runShell([deviceId], 'echo once');
  expect((await own.ended(run.id, deviceId)).stdout.text).toBe('once\n');
  expect(own.ssm.count('SendCommand')).toBe(1);
  expect(own.ssm.executions).toHaveLength(1);
});

test('documents that need the agent are refused with the reason', async () => {
  const run = fixture.run({
    command: 'config/show',
    target: { kind: 'devices', deviceIds: [firstOf()] },
  });
  const error = await run.catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(PortalError);
  expect(error).toMatchObject({
    errorName: 'invalidParameters',
    reason: 'command-needs-agent',
    facts: { reason: 'needs-agent', obstacle: 'agent-environment' },
  });
});

test('a preview excludes devices whose engine or agent cannot run the document', async () => {
  const [agent = ''] = await seedDevices(fixture.database, [{ name: 'another with agent' }]);
  const viewer = viewerWith('Administrator');
  const old = await fixture.deviceOf(OLD);
  const target = { kind: 'devices' as const, deviceIds: [agent, firstOf(), old] };
  const wanted = { document: '', target };
  const needed = await previewTarget(fixture.commands.deps, viewer, {
    ...wanted,
    command: 'config/show',
  });
  expect(needed).toMatchObject({ count: 1, excluded: [{ reason: 'needs-agent', count: 2 }] });
  const able = await previewTarget(fixture.commands.deps, viewer, {
    ...wanted,
    command: 'network/ping',
  });
  expect(able).toMatchObject({ count: 2, excluded: [{ reason: 'agent-too-old', count: 1 }] });
});
