import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { assumeOperatorRole, handOver, takeOver } from '../../src/air-blast/change-operator.ts';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import {
  createNextStepTokens,
  type NextStepClaims,
} from '../../src/air-blast/steps/next-step-token.ts';
import { renewToken } from '../../src/air-blast/operate-air-blast.ts';
import { startStep } from '../../src/air-blast/steps/start-step.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');
const other = viewerWith('Administrator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

async function ready(): Promise<AirBlastDetail> {
  const plan = await fixture.plan(operator, await seedDevices(test.database, [{}, {}]));
  return assumeOperatorRole(fixture.deps, operator, { id: plan.id, origin });
}

const start = (
  run: AirBlastDetail,
  token: string,
  over: Partial<Parameters<typeof startStep>[2]> = {},
  viewer = operator,
) =>
  startStep(fixture.deps, viewer, {
    id: run.id,
    step: 'preflight',
    token,
    confirmation: '',
    origin,
    ...over,
  });

const claimsOf = (run: AirBlastDetail): NextStepClaims => ({
  runId: run.id,
  step: 'preflight',
  operatorId: run.operatorId,
  targetSha256: run.targetSha256,
  revision: run.revision,
});

/** A token as this server issues them, with a wrong claim. */
async function tokenWith(run: AirBlastDetail, over: Partial<NextStepClaims>): Promise<string> {
  const { token } = await fixture.deps.tokens.issue({ ...claimsOf(run), ...over }, new Date());
  return token;
}

const stays = async (run: AirBlastDetail): Promise<void> =>
  expect(await getAirBlast(fixture.deps, operator, run.id)).toMatchObject({
    state: 'planned',
    step: 'plan',
    stepState: 'done',
    nextStep: { step: 'preflight' },
  });

describe('a wrong token is rejected without any effect', () => {
  it('[air-blast-token-10] modified, or issued by another server: 2004', async () => {
    const run = await ready();
    const token = run.nextStep?.token ?? '';
    const middle = Math.floor(token.length / 2);
    const changed =
      token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    const elsewhere = await createNextStepTokens(randomBytes(32)).issue(claimsOf(run), new Date());
    for (const wrong of [changed, elsewhere.token, '', 'x.y.z']) {
      await expect(start(run, wrong)).rejects.toMatchObject({ code: 2004 });
    }
    await stays(run);
  });

  it('[air-blast-token-11] of another rollout or step: 2004', async () => {
    const run = await ready();
    const another = await ready();
    await expect(start(run, another.nextStep?.token ?? '')).rejects.toMatchObject({ code: 2004 });
    const canary = await tokenWith(run, { step: 'canary' });
    await expect(start(run, canary)).rejects.toMatchObject({ code: 2004 });
    // A token of a later step does not start it, either.
    await expect(start(run, canary, { step: 'canary' })).rejects.toMatchObject({ code: 2004 });
    await stays(run);
  });

  it('[air-blast-token-12] of another user: 1000, also after a takeover', async () => {
    const run = await ready();
    await expect(start(run, run.nextStep?.token ?? '', {}, other)).rejects.toMatchObject({
      code: 1000,
    });
    await expect(takeOver(fixture.deps, other, { id: run.id, origin })).rejects.toMatchObject({
      code: 1000,
      reason: 'rollout-not-offered',
    });
    await stays(run);
    await handOver(fixture.deps, operator, { id: run.id, origin });
    const taken = await takeOver(fixture.deps, other, { id: run.id, origin });
    expect(taken).toMatchObject({ mine: true, roleExpiresAt: null, nextStep: { token: null } });
    await expect(start(run, run.nextStep?.token ?? '')).rejects.toMatchObject({ code: 1000 });
    await expect(start(run, run.nextStep?.token ?? '', {}, other)).rejects.toMatchObject({
      code: 1000,
    });
  });

  it('of another target set: 8000', async () => {
    const run = await ready();
    for (const wrong of [{ targetSha256: 'f'.repeat(64) }, { revision: 2 }]) {
      await expect(start(run, await tokenWith(run, wrong))).rejects.toMatchObject({
        code: 8000,
        reason: 'target-set-changed',
      });
    }
    await stays(run);
  });

  it('expired after 300,000 ms: 8000, until it is renewed', async () => {
    const run = await ready();
    const expiresAtMs = Date.parse(run.nextStep?.expiresAt ?? '');
    fixture.setNow(new Date(expiresAtMs));
    try {
      await expect(start(run, run.nextStep?.token ?? '')).rejects.toMatchObject({
        code: 8000,
        reason: 'token-expired',
      });
      await stays(run);
      const renewed = await renewToken(fixture.deps, operator, { id: run.id, origin });
      expect(Date.parse(renewed.nextStep?.expiresAt ?? '')).toBe(expiresAtMs + 300_000);
      expect(await start(run, renewed.nextStep?.token ?? '')).toMatchObject({ state: 'preflight' });
    } finally {
      fixture.setNow(null);
    }
  });

  it('[air-blast-token-15] used before: 8001 with the user who started the step, even if it has expired', async () => {
    const run = await ready();
    const token = run.nextStep?.token ?? '';
    await start(run, token);
    const done = { code: 8001, facts: { step: 'preflight', by: operator.username } };
    await expect(start(run, token)).rejects.toMatchObject(done);
    fixture.setNow(new Date(Date.now() + 400_000));
    await expect(start(run, token)).rejects.toMatchObject(done);
    fixture.setNow(null);
  });

  it('without the role: 1000, and nothing is started', async () => {
    const run = await fixture.plan(operator, await seedDevices(test.database, [{}]));
    await expect(start(run, run.nextStep?.token ?? '')).rejects.toMatchObject({
      code: 1000,
      reason: 'rollout-role-ended',
    });
    await stays(run);
  });
});

describe('a destructive change', () => {
  it('is confirmed by the number of devices of its step', async () => {
    const plan = await fixture.plan(other, await seedDevices(test.database, [{}, {}, {}]), {
      change: { kind: 'document', document: 'DevicePortal-factory-reset', parameters: {} },
    });
    const checked = await fixture.next(other, plan);
    expect(checked).toMatchObject({ consequence: 'destroys', state: 'approval', nextStep: null });
    const { id, planSha256 } = checked;
    const approver = viewerWith('Administrator');
    await approveAirBlast(fixture.deps, approver, { id, planSha256, comment: '', origin });
    await expect(fixture.next(other, plan, '3')).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['confirmation'] }],
      facts: { devices: 1 },
    });
    expect(await fixture.next(other, plan, '1')).toMatchObject({ state: 'canary' });
  });
});
