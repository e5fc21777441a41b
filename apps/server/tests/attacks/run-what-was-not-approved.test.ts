import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { handOver, takeOver } from '../../src/air-blast/change-operator.ts';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { leaveOutFailed } from '../../src/air-blast/steps/leave-out-failed.ts';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import { pauseAirBlast, retryAirBlast } from '../../src/air-blast/operate-air-blast.ts';
import { editAirBlast } from '../../src/air-blast/plan/plan-air-blast.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishDocument, publishNext, textOf } from '../support/nested-documents.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Administrator');
const colleague = viewerWith('Administrator');
const approver = viewerWith('Administrator');

const shell = (script: string) => ({
  kind: 'document' as const,
  document: 'DevicePortal-shell',
  parameters: { script },
});
const factoryReset = {
  kind: 'document' as const,
  document: 'DevicePortal-factory-reset',
  parameters: {},
};

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const devices = (count: number) =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => ({})),
  );
const write = (statement: ReturnType<typeof sql>) => test.database.orm.execute(statement);
const get = ({ id }: AirBlastDetail) => getAirBlast(fixture.deps, operator, id);
const approve = ({ id, planSha256 }: AirBlastDetail, viewer = approver) =>
  approveAirBlast(fixture.deps, viewer, { id, planSha256, comment: '', origin });

async function sentTo({ id }: AirBlastDetail): Promise<number> {
  const { rows } = await write(sql`
    select count(*)::int as sent from air_blast_target where air_blast_id = ${id} and run_id is not null`);
  return (rows[0] as { sent: number }).sent;
}

/** A rollout of a script on 100 devices, after its canaries and its approval. */
async function approved(script = 'v2', options = {}): Promise<AirBlastDetail> {
  const over = { change: shell(script), options };
  const plan = await fixture.plan(operator, await devices(100), over);
  await fixture.next(operator, plan);
  await fixture.next(operator, plan);
  await fixture.settle(plan, operator);
  return approve(plan);
}

const edit = (run: AirBlastDetail, over: object) =>
  editAirBlast(fixture.deps, operator, {
    id: run.id,
    revision: run.revision,
    name: run.name,
    reason: '',
    change: shell('v2'),
    target: { kind: 'devices', deviceIds: [] },
    options: run.options,
    origin,
    ...over,
  });

async function targetOf({ id, revision }: AirBlastDetail) {
  const { rows } = await write(sql`
    select device_id as id from air_blast_target where air_blast_id = ${id} and revision = ${revision}`);
  return {
    kind: 'devices' as const,
    deviceIds: (rows as unknown as { id: string }[]).map((row) => row.id),
  };
}

/** Starts the rollout after the database was changed: nothing of it may be sent. */
async function refusedAtDispatch(run: AirBlastDetail, why: string): Promise<void> {
  const before = await sentTo(run);
  await fixture.next(operator, run).catch(() => {});
  await fixture.round();
  const stopped = await get(run);
  expect(stopped).toMatchObject({ state: 'failed', stateReason: 'plan-changed' });
  expect(stopped.steps.at(-1)?.evidence).toMatchObject({ why });
  expect(stopped.may.retry).toBe(false);
  expect(await sentTo(run)).toBe(before);
}

describe('an operator cannot destroy a device before a second user has approved it', () => {
  it('with a canary of all devices', async () => {
    const plan = await fixture.plan(operator, await devices(5), {
      change: factoryReset,
      options: { canaryPercent: 100 },
    });
    const checked = await fixture.next(operator, plan);
    expect(checked).toMatchObject({ state: 'approval', approvalFirst: true, nextStep: null });
    await fixture.round();
    expect(await sentTo(plan)).toBe(0);
    await approve(plan);
    expect(await get(plan)).toMatchObject({ nextStep: { step: 'canary', devices: 4 } });
  });

  it('with a set of one device', async () => {
    const plan = await fixture.plan(operator, await devices(1), { change: factoryReset });
    expect(await fixture.next(operator, plan)).toMatchObject({ state: 'approval' });
    await approve(plan);
    expect(await get(plan)).toMatchObject({ nextStep: { step: 'canary', devices: 0 } });
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    expect(await sentTo(plan)).toBe(0);
    await fixture.next(operator, plan, '1');
    await fixture.settle(plan, operator);
    expect(await sentTo(plan)).toBe(1);
  });

  it('by a destructive document that verifies a harmless change', async () => {
    const plan = await fixture.plan(operator, await devices(2), {
      options: { verifyDocument: 'DevicePortal-factory-reset' },
    });
    expect(plan).toMatchObject({ consequence: 'destroys', approvalFirst: true });
  });
});

describe('an operator cannot send anything that was not approved', () => {
  it('by another parameter: the approval is void, and the approver sees the change', async () => {
    const run = await approved();
    const edited = await edit(run, { change: shell('EVIL'), target: await targetOf(run) });
    expect(edited.targetSha256).toBe(run.targetSha256);
    expect(edited).toMatchObject({ approvals: [{ valid: false }], approvalFirst: true });
    const seen = await getAirBlast(fixture.deps, approver, run.id);
    expect(seen.changesSinceApproval).toMatchObject({
      added: 0,
      removed: 0,
      changes: [{ part: 'parameter', name: 'script', before: 'v2', after: 'EVIL' }],
    });
    const asked = await fixture.next(operator, edited);
    expect(asked).toMatchObject({ state: 'approval', nextStep: null });
    await expect(approve(run)).rejects.toMatchObject({ facts: { reason: 'plan-changed' } });
  });

  it('on other devices', async () => {
    const run = await approved();
    const target = await targetOf(run);
    const [extra = ''] = await devices(1);
    const deviceIds = [...target.deviceIds.slice(1), extra];
    await edit(run, { target: { ...target, deviceIds } });
    const { changesSinceApproval: changes } = await get(run);
    expect(changes).toMatchObject({ added: 1, removed: 1 });
    expect(changes?.addedDevices).toHaveLength(1);
  });

  it('with other thresholds', async () => {
    const run = await approved();
    const options = { ...run.options, maxErrors: '100%' };
    const edited = await edit(run, { options, target: await targetOf(run) });
    expect(edited.changesSinceApproval?.changes).toEqual([
      { part: 'strategy', name: 'maxErrors', before: '5%', after: '100%' },
    ]);
  });

  it('by repeatedly changing parts of the canaries without an approval', async () => {
    const plan = await fixture.plan(operator, await devices(100), { change: shell('v2') });
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    const edited = await edit(plan, { target: await targetOf(plan) });
    expect(await fixture.next(operator, edited)).toMatchObject({ state: 'approval' });
  });

  it('after handing over to the approver', async () => {
    const run = await approved();
    await handOver(fixture.deps, operator, { id: run.id, origin });
    await expect(takeOver(fixture.deps, approver, { id: run.id, origin })).rejects.toMatchObject({
      code: 1000,
      reason: 'approver-cannot-operate',
    });
    await takeOver(fixture.deps, colleague, { id: run.id, origin });
  });

  it('by excluding failed devices: the remaining ones are another set, which needs a new approval', async () => {
    const run = await approved('v2', { maxErrors: '0' });
    await fixture.next(operator, run);
    let answered = 0;
    const failed = await fixture.settle(run, operator, () => {
      answered += 1;
      return answered === 1 ? 'Failed' : 'Success';
    });
    expect(failed).toMatchObject({ state: 'failed', may: { leaveOut: true } });
    const left = await leaveOutFailed(fixture.deps, operator, { id: run.id, origin });
    expect(left).toMatchObject({
      state: 'approval',
      nextStep: null,
      approvals: [{ valid: false }],
    });
    expect(left.changesSinceApproval).toMatchObject({ added: 0, removed: 1 });
    await expect(approve(run)).rejects.toMatchObject({ facts: { reason: 'plan-changed' } });
    const before = await sentTo(run);
    await fixture.round();
    expect(await sentTo(run)).toBe(before);
  });

  it('by a new default version of a document that the approved one runs', async () => {
    const inner = 'acme-rollout-inner';
    const document = 'acme-rollout-outer';
    const author = operator;
    await publishDocument(fixture.deps, author, { name: inner, content: textOf('one') });
    await publishDocument(fixture.deps, author, {
      name: document,
      content: textOf('outer', inner),
    });
    const change = { kind: 'document' as const, document, parameters: {} };
    const plan = await fixture.plan(operator, await devices(100), { change });
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    const run = await approve(plan);
    await publishNext(fixture.deps, author, { name: inner, content: textOf('EVIL') });
    await refusedAtDispatch(run, 'effect');
    const [change0] = ((await get(run)).steps.at(-1)?.evidence['changes'] ?? []) as object[];
    expect(change0).toMatchObject({ part: 'sub-document', name: inner });
  });

  it('by a retry, which is allowed because it changes nothing that was approved', async () => {
    const run = await approved();
    await fixture.next(operator, run);
    await fixture.settle(run, operator, () => 'Failed');
    expect(await get(run)).toMatchObject({ state: 'failed', approvals: [{ valid: true }] });
    await retryAirBlast(fixture.deps, operator, { id: run.id, origin });
    expect(await fixture.settle(run, operator)).toMatchObject({ state: 'blasting' });
  });
});

describe('a person with write access to the database cannot change what was approved', () => {
  it.each([
    ['the document', () => sql`parsed = replace(parsed::text, 'script', 'other')::json`],
    ['its phases', () => sql`phases = '{"undo":[]}'::json`],
    ['its consequence', () => sql`consequence = 'reads'`],
  ])('by %s', async (_what, change) => {
    const run = await approved();
    const { rows } = await write(
      sql`select parsed, phases, consequence from document_version where document_name = 'DevicePortal-shell' and version = 1`,
    );
    const old = rows[0] as { parsed: unknown; phases: unknown; consequence: string };
    await write(
      sql`update document_version set ${change()} where document_name = 'DevicePortal-shell' and version = 1`,
    );
    try {
      await refusedAtDispatch(run, 'effect');
    } finally {
      await write(sql`update document_version set parsed = ${JSON.stringify(old.parsed)}::json,
        phases = ${JSON.stringify(old.phases)}::json, consequence = ${old.consequence}
        where document_name = 'DevicePortal-shell' and version = 1`);
    }
  });

  it('by the parameters', async () => {
    const run = await approved();
    await write(
      sql`update air_blast set parameters = '{"script":"EVIL"}'::jsonb where id = ${run.id}`,
    );
    await refusedAtDispatch(run, 'effect');
  });

  it('by another device in the target set', async () => {
    const run = await approved();
    const [extra = ''] = await devices(1);
    await write(sql`insert into air_blast_target (air_blast_id, revision, device_id, no_go)
      values (${run.id}, 1, ${extra}, '{}')`);
    await refusedAtDispatch(run, 'effect');
  });

  it('by an approval that this installation has not signed', async () => {
    const plan = await fixture.plan(operator, await devices(100), { change: shell('v2') });
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    await write(sql`insert into air_blast_approval (id, air_blast_id, revision, plan_sha256, target_sha256,
        decision, by_id, by_name, signature, at)
      values (${randomUUID()}, ${plan.id}, 1, ${plan.planSha256}, ${plan.targetSha256}, 'approved',
        ${approver.userId}, 'forged', 'forged', now())`);
    await write(
      sql`update air_blast set approved = true, state = 'canary', token_issued_at = now() where id = ${plan.id}`,
    );
    await refusedAtDispatch(plan, 'approval');
  });
});

describe('an operator cannot approve as their own second person', () => {
  it.each([
    [
      'email',
      { email: 'Eve+ops@example.com', phone: null },
      { email: 'eve@EXAMPLE.com', phone: null },
    ],
    [
      'phone',
      { email: null, phone: '+49 151 2345678' },
      { email: null, phone: '0049-151-2345678' },
    ],
  ])('by a second account with the same %s', async (_what, mine, other) => {
    const [one, two] = [viewerWith('Administrator'), viewerWith('Administrator')];
    for (const [{ userId }, { email, phone }] of [
      [one, mine],
      [two, other],
    ] as const) {
      await write(sql`insert into portal_user (id, subject, username, email, phone, name)
        values (${userId}, ${randomUUID()}, ${userId}, ${email}, ${phone}, 'Eve')`);
    }
    const plan = await fixture.plan(one, await devices(2), { change: factoryReset });
    const asked = await fixture.next(one, plan);
    expect((await getAirBlast(fixture.deps, two, plan.id)).may.approve).toBe(false);
    await expect(approve(asked, two)).rejects.toMatchObject({
      reason: 'rollout-needs-second-person',
    });
  });
});

describe('an unrelated user cannot take over a rollout', () => {
  it('before its operator has assumed the role, and of two concurrent attempts one succeeds', async () => {
    const plan = await fixture.plan(operator, await devices(2));
    await expect(takeOver(fixture.deps, colleague, { id: plan.id, origin })).rejects.toMatchObject({
      reason: 'rollout-not-offered',
    });
    await handOver(fixture.deps, operator, { id: plan.id, origin });
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        takeOver(fixture.deps, viewerWith('Administrator'), { id: plan.id, origin }),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('with permissions for only some of its devices, or for a device without a country', async () => {
    const german = viewerWith('Administrator', { countries: ['DE'], models: [], labels: {} });
    const [inside = '', outside = '', nowhere = ''] = await devices(3);
    await write(sql`update device set country = 'FR' where id = ${outside}`);
    await write(sql`update device set country = null where id = ${nowhere}`);
    for (const other of [outside, nowhere]) {
      const plan = await fixture.plan(operator, [inside, other]);
      await handOver(fixture.deps, operator, { id: plan.id, origin });
      const request = { id: plan.id, reason: '', origin };
      for (const act of [takeOver, pauseAirBlast]) {
        await expect(act(fixture.deps, german, request)).rejects.toMatchObject({ code: 2003 });
      }
      await expect(getAirBlast(fixture.deps, german, plan.id)).rejects.toMatchObject({
        code: 2003,
      });
    }
  });
});
