import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { defaultRunRules, type RunRule } from '@deviceportal/contract/run-rules';
import type { RunDetail } from '@deviceportal/contract/runs';
import { cancelInvocation } from '../../src/commands/invocations/cancel-invocation.ts';
import { approveRun, rejectRun } from '../../src/commands/approval/decide-run.ts';
import { getRunApproval } from '../../src/commands/approval/get-run-approval.ts';
import { saveRunRules } from '../../src/commands/approval/run-rules.ts';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { expireInvocations } from '../../src/commands/execution/expire-invocations.ts';
import { findReadyRuns } from '../../src/commands/data/execution/open-work-queries.ts';
import { getRun } from '../../src/commands/get-run.ts';
import { listRuns } from '../../src/commands/list-runs.ts';
import { pauseRun, resumeRun } from '../../src/commands/pause-run.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { fireSchedules } from '../../src/commands/schedules/fire-schedules.ts';
import { undoRun } from '../../src/commands/undo/undo-run.ts';
import { explain } from '../../src/explanations/explain.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import {
  nothingShown,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishDocument, publishNext, textOf } from '../support/nested-documents.ts';
import { publishUndoable, stepsDone, UNDOABLE } from '../support/undoable-document.ts';

const operator = viewerWith('Administrator');
const approver = viewerWith('Administrator');

let test: TestDatabase;
let fixture: AirBlastFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
  await publishUndoable(fixture.deps, operator);
});
afterEach(() => setRules([]));
afterAll(() => test[Symbol.asyncDispose]());

const write = (statement: ReturnType<typeof sql>) => test.database.orm.execute(statement);

/** The default rules, with these changes. */
const setRules = (rules: readonly RunRule[]) =>
  saveRunRules(
    fixture.deps,
    { viewer: approver, ...origin },
    defaultRunRules.map(
      (rule) => rules.find(({ consequence }) => consequence === rule.consequence) ?? rule,
    ),
  );
const secondPersonFrom = (approvalFrom: number): RunRule => ({
  ...{ consequence: 'disrupts', approvalFrom, airBlastFrom: null },
});

const devices = (count: number, country = 'DE') =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => ({ country })),
  );

const start = async (
  deviceIds: readonly string[],
  input: Partial<Parameters<typeof runInput>[0]> = {},
  viewer = operator,
): Promise<RunDetail> =>
  runCommand(fixture.deps, viewer, {
    ...runInput({
      command: 'restart/agent',
      target: { kind: 'devices', deviceIds: [...deviceIds] },
      ...input,
    }),
    maxConcurrency: '100%',
  });

const restartDevice = { command: 'restart/device' };

/** A disruptive run on two devices, where the policy requires approval from two devices on. */
async function held(
  viewer = operator,
): Promise<RunDetail & { readonly deviceIds: readonly string[] }> {
  await setRules([secondPersonFrom(2)]);
  const deviceIds = await devices(2);
  return { ...(await start(deviceIds, restartDevice, viewer)), deviceIds };
}

async function decideAs(viewer: Viewer, id: string, decide = approveRun) {
  const shown = await getRunApproval(fixture.deps, operator, id);
  const effectSha256 = shown?.effectSha256 ?? '';
  return decide(fixture.deps, viewer, { id, effectSha256, comment: 'looks right', origin });
}

/** Runs the dispatcher, which must send nothing of a run that needs approval. */
async function dispatched({ id }: Pick<RunDetail, 'id'>): Promise<number> {
  const ready = await findReadyRuns(test.database);
  const { claimed } = await dispatchRun(test.database, id);
  if (claimed.length === 0) expect(ready).not.toContain(id);
  return claimed.length;
}

async function isSigned({ id }: Pick<RunDetail, 'id'>): Promise<boolean> {
  return (await write(sql`select from run_signature where run_id = ${id}`)).rows.length === 1;
}

async function finish({ id }: Pick<RunDetail, 'id'>, state = 'Success') {
  await write(sql`
    update invocation set state = ${state}, status_details = ${state}, ended_at = now(), steps = ${stepsDone(state)}::jsonb
    where run_id = ${id}`);
}

describe('the default policy', () => {
  it.each([
    ['changes', 'restart/agent', 99, 'Pending'],
    ['changes', 'restart/agent', 100, 'Approval'],
    ['disrupts', 'restart/device', 99, 'Pending'],
    ['disrupts', 'restart/device', 100, 'Approval'],
    ['destroys', 'factory-reset', 2, 'Approval'],
    ['reads', 'logs/tail', 200, 'Pending'],
  ])('decides that %s (%s) on %i devices is %s', async (_class, command, count, state) => {
    const run = await start(await devices(count), { command, confirmation: String(count) });
    expect(run.state).toBe(state);
  });

  it.each(['restart/agent', 'restart/device', 'factory-reset'])(
    'never delays %s on one device',
    async (command) => {
      const confirmation = randomUUID().toUpperCase();
      const [id = ''] = await seedDevices(test.database, [{ serialNumber: confirmation }]);
      const run = await start([id], { command, confirmation, agreement: nothingShown });
      expect(run.state).toBe('Pending');
      expect(await isSigned(run)).toBe(true);
    },
  );

  it('is shown before anything is sent', async () => {
    const target = { kind: 'devices' as const, deviceIds: await devices(2) };
    const preview = (command: string) =>
      previewTarget(fixture.deps, operator, { command, document: '', target });
    expect((await preview('factory-reset')).guard).toBe('second-person');
    expect((await preview('restart/device')).guard).toBe('none');
  });
});

describe('a run that requires approval reaches no device before it', () => {
  it('by the dispatcher, by pause and resume, or by its signature', async () => {
    const run = await held();
    expect(run.state).toBe('Approval');
    expect(await isSigned(run)).toBe(false);
    expect(await dispatched(run)).toBe(0);
    await pauseRun(fixture.deps, operator, { id: run.id, origin });
    await resumeRun(fixture.deps, operator, { id: run.id, origin });
    expect((await getRun(fixture.deps, operator, run.id)).state).toBe('Approval');
    expect(await dispatched(run)).toBe(0);
  });

  it('if all connected devices are sent the command by the transaction that creates it', async () => {
    await setRules([secondPersonFrom(2)]);
    const sent: string[] = [];
    const deps = { ...fixture.deps, sendNew: (id: string) => void sent.push(id) };
    const target = { kind: 'devices' as const, deviceIds: await devices(2) };
    const input = { ...runInput({ ...restartDevice, target }), maxConcurrency: '100%' };
    const run = await runCommand(deps, operator, input);
    expect(run).toMatchObject({ state: 'Approval', counters: { inProgress: 0, pending: 2 } });
    expect(sent).toEqual([]);
  });

  it('by repeating or undoing an approved one', async () => {
    const deviceIds = await devices(2);
    const document = { command: 'document', document: UNDOABLE };
    const first = await start(deviceIds, document);
    await finish(first);
    await setRules([secondPersonFrom(2)]);
    const request = { runId: first.id, confirmation: '', agreement: shownDevices(deviceIds) };
    const again = await rerunCommand(fixture.deps, operator, {
      ...{ ...request, onlyFailed: false, answer: null, idempotencyKey: randomUUID(), origin },
    });
    expect(again.state).toBe('Approval');
    const back = await undoRun(fixture.deps, operator, {
      ...{ ...request, deviceId: null, comment: '', idempotencyKey: randomUUID(), origin },
    });
    expect(back).toMatchObject({ state: 'Approval', undoes: first.id });
    await decideAs(approver, back.id);
    expect(await dispatched(back)).toBe(2);
    expect(await dispatched(again)).toBe(0);
  });

  it('by a schedule', async () => {
    await setRules([secondPersonFrom(2)]);
    const deviceIds = await devices(2);
    const { idempotencyKey: _key, ...input } = runInput(restartDevice);
    const noon = new Date('2026-11-20T12:00:00Z');
    fixture.setNow(noon);
    const { id } = await createSchedule(fixture.deps, operator, {
      ...{ ...input, target: { kind: 'devices', deviceIds }, agreement: shownDevices(deviceIds) },
      ...{ id: newId(), name: 'hourly', missed: 'run-late', freeze: true, confirmation: '' },
      times: { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' },
    });
    fixture.setNow(new Date(noon.getTime() + 3_600_000));
    await fireSchedules({ ...fixture.deps, findCreator: async () => operator });
    fixture.setNow(null);
    const { rows } = await write(
      sql`select id, state from command_run where request_id = ${`schedule:${id}`}`,
    );
    expect(rows).toMatchObject([{ state: 'Approval' }]);
    await write(sql`delete from run_schedule`);
  });

  it('and blocks no device in the meantime', async () => {
    const { deviceIds } = await held();
    const other = await start(deviceIds.slice(0, 1), { agreement: nothingShown }, approver);
    expect(other.state).toBe('Pending');
  });

  it('after its expiry: it ends without having been sent', async () => {
    const run = await held();
    await write(sql`
      update command_run set deliver_before = now() - interval '1 minute' where id = ${run.id}`);
    await expireInvocations(test.database);
    const ended = await getRun(fixture.deps, operator, run.id);
    expect(ended).toMatchObject({ state: 'Cancelled', counters: { cancelled: 2 } });
    await expect(decideAs(approver, run.id)).rejects.toMatchObject({ code: 2004 });
  });
});

describe('a user cannot approve their own run', () => {
  const samePerson = { code: 1000, reason: 'run-needs-second-person' };

  it('with the account that requested it, or another one with the same email address', async () => {
    const [eve, alias] = [viewerWith('Administrator'), viewerWith('Administrator')];
    const run = await held(eve);
    await expect(decideAs(eve, run.id)).rejects.toMatchObject(samePerson);
    for (const [{ userId }, email] of [
      [eve, 'Eve+ops@example.com'],
      [alias, 'eve@EXAMPLE.com'],
    ] as const) {
      await write(sql`insert into portal_user (id, subject, username, email, name)
        values (${userId}, ${userId}, ${userId}, ${email}, 'Eve')`);
    }
    await expect(decideAs(alias, run.id)).rejects.toMatchObject(samePerson);
    const shown = await getRunApproval(fixture.deps, alias, run.id);
    expect(shown?.hindrance).toBe('same-person');
    expect(await dispatched(run)).toBe(0);
  });

  it('nor decide on devices outside their scope', async () => {
    await setRules([secondPersonFrom(2)]);
    const deviceIds = [...(await devices(1, 'DE')), ...(await devices(1, 'FR'))];
    const run = await start(deviceIds, restartDevice);
    const german = viewerWith('Administrator', { countries: ['DE'], models: [], labels: {} });
    await expect(decideAs(german, run.id)).rejects.toMatchObject({
      ...{ code: 1000, reason: 'run-beyond-scope' },
    });
    const shown = await getRunApproval(fixture.deps, german, run.id);
    expect(shown).toMatchObject({ hindrance: 'scope', reach: { count: 1, countryCount: 1 } });
    const page = {
      endedOn: null,
      deviceId: null,
      documentName: null,
      mine: false,
      active: false,
      failing: false,
    };
    const waiting = async (viewer: Viewer) => {
      const { rows } = await listRuns(fixture.deps, viewer, {
        ...{ ...page, awaiting: true, pageSize: 100, cursor: null },
      });
      return rows.some(({ id }) => id === run.id);
    };
    expect(await waiting(german)).toBe(false);
    expect(await waiting(operator)).toBe(false);
    expect(await waiting(approver)).toBe(true);
  });
});

describe('an approval covers exactly what was requested and shown', () => {
  const changed = { code: 2004, facts: { reason: 'approval-changed' } };

  it('not other parameters, rates, or timeouts', async () => {
    const run = await held();
    await write(sql`update command_run set max_errors = '100%' where id = ${run.id}`);
    await expect(decideAs(approver, run.id)).rejects.toMatchObject(changed);
    const shown = await getRunApproval(fixture.deps, approver, run.id);
    expect(shown?.changes).toEqual([
      { part: 'strategy', name: 'maxErrors', before: '0', after: '100%' },
    ]);
    await write(sql`update command_run set max_errors = '0' where id = ${run.id}`);
    await decideAs(approver, run.id);
    expect(await dispatched(run)).toBe(2);
  });

  it('not a hash that was shown for something else', async () => {
    const run = await held();
    const request = { id: run.id, effectSha256: '0'.repeat(64), comment: '', origin };
    await expect(approveRun(fixture.deps, approver, request)).rejects.toMatchObject(changed);
  });

  it('not other devices', async () => {
    const run = await held();
    const [extra = ''] = await devices(1);
    await write(sql`
      insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
      select ${newId()}, run_id, ${extra}, state, status_details, queued_at, deliver_before, expires_at
      from invocation where run_id = ${run.id} limit 1`);
    await expect(decideAs(approver, run.id)).rejects.toMatchObject(changed);
  });

  it('not fewer devices', async () => {
    const run = await held();
    const { rows } = await write(sql`select id from invocation where run_id = ${run.id} limit 1`);
    await cancelInvocation(fixture.deps, operator, { id: String(rows[0]?.['id']), origin });
    await expect(decideAs(approver, run.id)).rejects.toMatchObject(changed);
  });

  it('not a new default version of a document that it runs', async () => {
    await setRules([secondPersonFrom(2)]);
    const inner = { name: 'acme-approved-inner', consequence: 'disrupts' } as const;
    await publishDocument(fixture.deps, operator, { ...inner, content: textOf('one') });
    const name = 'acme-approved-outer';
    await publishDocument(fixture.deps, operator, { name, content: textOf('outer', inner.name) });
    const run = await start(await devices(2), { command: 'document', document: name });
    expect(run.state).toBe('Approval');
    await publishNext(fixture.deps, operator, { name: inner.name, content: textOf('EVIL') });
    await expect(decideAs(approver, run.id)).rejects.toMatchObject(changed);
    const shown = await getRunApproval(fixture.deps, approver, run.id);
    expect(shown?.changes).toMatchObject([{ part: 'sub-document', name: inner.name }]);
  });

  it('and is signed for its devices, with timeouts that start then', async () => {
    const run = await held();
    const approved = await decideAs(approver, run.id);
    expect(approved.state).toBe('Pending');
    expect(await isSigned(run)).toBe(true);
    expect(await dispatched(run)).toBe(2);
    const { rows } = await write(sql`
      select extract(epoch from deliver_before - now())::int between 3500 and 3600 as fits from invocation
      where run_id = ${run.id}`);
    expect(rows).toEqual([{ fits: true }, { fits: true }]);
    const { rows: events } = await write(sql`
      select distinct actor_id, data->>'comment' as comment from audit_event
      where run_id = ${run.id} and type = 'command.approved'`);
    expect(events).toEqual([{ actor_id: approver.userId, comment: 'looks right' }]);
  });
});

it('a rejected run has ended, and of ten concurrent decisions one applies', async () => {
  const run = await held();
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      decideAs(viewerWith('Administrator'), run.id, at % 2 === 0 ? rejectRun : approveRun),
    ),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const other = await held();
  await decideAs(approver, other.id, rejectRun);
  expect(await getRun(fixture.deps, operator, other.id)).toMatchObject({ state: 'Cancelled' });
  await expect(decideAs(approver, other.id)).rejects.toMatchObject({ code: 2004 });
  expect(await dispatched(other)).toBe(0);
  const [explained] = await explain(fixture.deps, operator, { kind: 'run', id: other.id });
  expect(explained?.reasons).toMatchObject([
    { code: 'run-rejected', facts: { by: approver.username } },
  ]);
});

describe('if the policy requires a rollout', () => {
  const onlyRollouts: RunRule = { consequence: 'disrupts', approvalFrom: null, airBlastFrom: 2 };
  const refused = { code: 2004, facts: { reason: 'air-blast-needed', from: 2 } };

  it('no plain run, repetition, or schedule replaces it', async () => {
    const deviceIds = await devices(2);
    const first = await start(deviceIds, restartDevice);
    await setRules([onlyRollouts]);
    await expect(start(deviceIds, restartDevice)).rejects.toMatchObject(refused);
    const request = { runId: first.id, onlyFailed: false, answer: null, confirmation: '' };
    await expect(
      rerunCommand(fixture.deps, operator, {
        ...{ ...request, agreement: shownDevices(deviceIds) },
        ...{ idempotencyKey: randomUUID(), origin, whenLocked: 'queue' },
      }),
    ).rejects.toMatchObject(refused);
    const { idempotencyKey: _key, ...input } = runInput(restartDevice);
    await expect(
      createSchedule(fixture.deps, operator, {
        ...{ ...input, target: { kind: 'devices', deviceIds }, confirmation: '' },
        ...{ agreement: shownDevices(deviceIds), id: newId(), name: 'n', missed: 'skip' },
        ...{ freeze: false, times: { kind: 'once', at: '2099-01-01T00:00:00Z' } },
      }),
    ).rejects.toMatchObject(refused);
  });

  it('the waves of a rollout are sent', async () => {
    await setRules([onlyRollouts]);
    const change = {
      kind: 'document' as const,
      document: 'DevicePortal-restart-device',
      parameters: {},
    };
    const plan = await fixture.plan(operator, await devices(5), { change });
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    expect(await fixture.settle(plan, operator)).toMatchObject({
      step: 'canary',
      stepState: 'done',
    });
  });
});

it('neither a rollout nor its canaries bypass the approval', async () => {
  await setRules([secondPersonFrom(3)]);
  const change = {
    kind: 'document' as const,
    document: 'DevicePortal-restart-device',
    parameters: {},
  };
  const few = await fixture.plan(operator, await devices(5), { change });
  expect(few).toMatchObject({ needsApproval: true, approvalFirst: false });
  const many = await fixture.plan(operator, await devices(5), {
    ...{ change, options: { canaryPercent: 60 } },
  });
  expect(many).toMatchObject({ needsApproval: true, approvalFirst: true });
});
