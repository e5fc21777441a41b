import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assumeOperatorRole } from '../../src/air-blast/change-operator.ts';
import { getPlan } from '../../src/air-blast/plan/get-plan.ts';
import { editAirBlast } from '../../src/air-blast/plan/plan-air-blast.ts';
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

describe('an edited plan', () => {
  it('starts from the requested target, has a new target set, and voids the authorization', async () => {
    const ids = await devices(2);
    const plan = await fixture.plan(operator, ids, { reason: 'T-1' });
    const opened = await getPlan(fixture.deps, operator, plan.id);
    expect(opened).toMatchObject({
      revision: 1,
      reason: 'T-1',
      change: { kind: 'document', document: 'DevicePortal-storage-clean:1' },
      target: { kind: 'devices', deviceIds: ids },
      options: plan.options,
    });
    const [more = ''] = await devices(1);
    const edited = await editAirBlast(fixture.deps, operator, {
      ...opened,
      target: { kind: 'devices', deviceIds: [...ids, more] },
      options: { ...opened.options, wavePercents: [50, 50] },
      origin,
    });
    expect(edited).toMatchObject({
      revision: 2,
      targetCount: 3,
      options: { wavePercents: [50, 50] },
      nextStep: { step: 'preflight' },
    });
    expect(edited.targetSha256).not.toBe(plan.targetSha256);
    await assumeOperatorRole(fixture.deps, operator, { id: plan.id, origin });
    await expect(
      startStep(fixture.deps, operator, {
        id: plan.id,
        step: 'preflight',
        token: plan.nextStep?.token ?? '',
        confirmation: '',
        origin,
      }),
    ).rejects.toMatchObject({ code: 8000, reason: 'target-set-changed' });
    await expect(
      editAirBlast(fixture.deps, operator, {
        ...opened,
        target: { kind: 'devices', deviceIds: ids },
        origin,
      }),
    ).rejects.toMatchObject({ code: 2004 });
  });
});
