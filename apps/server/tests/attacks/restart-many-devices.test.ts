import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { defaultRunRules, type RunRule } from '@deviceportal/contract/run-rules';
import { getLimits } from '../../src/air-blast/plan/get-limits.ts';
import { saveRunRules } from '../../src/commands/approval/run-rules.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, runInput, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const COUNTRIES = ['DE', 'FR', 'PL', 'ES', 'IT', 'NL', 'BE', 'AT', 'CH', 'CZ'];
const operator = viewerWith('Administrator');
const change = {
  kind: 'document' as const,
  document: 'DevicePortal-restart-device',
  parameters: {},
};

let test: TestDatabase;
let fixture: AirBlastFixture;
beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database, {
    named: { supportedCountries: COUNTRIES },
  });
});
afterEach(() => setRule({}));
afterAll(() => test[Symbol.asyncDispose]());

/** The policy for commands that disrupt, such as a restart. */
const setRule = (rule: Partial<RunRule>) =>
  saveRunRules(
    fixture.deps,
    { viewer: operator, ...origin },
    defaultRunRules.map((one) => (one.consequence === 'disrupts' ? { ...one, ...rule } : one)),
  );

/** Devices in ten countries. */
const devices = (count = 25) =>
  seedDevices(
    test.database,
    Array.from({ length: count }, (_each, index) => ({
      country: COUNTRIES[index % COUNTRIES.length] ?? 'DE',
    })),
  );

const restart = (deviceIds: readonly string[]) =>
  runCommand(
    fixture.deps,
    operator,
    runInput({
      command: 'restart/device',
      target: { kind: 'devices', deviceIds: [...deviceIds] },
    }),
  );

it('a restart of 25 devices in 10 countries is shown with its reach before it is sent', async () => {
  const target = { kind: 'devices' as const, deviceIds: await devices() };
  expect(
    await previewTarget(fixture.deps, operator, {
      command: 'restart/device',
      document: '',
      target,
    }),
  ).toMatchObject({ count: 25, countryCount: 10 });
});

it('is possible only as a rollout if the policy requires that from 25 devices', async () => {
  await setRule({ airBlastFrom: 25 });
  const deviceIds = await devices();
  await expect(restart(deviceIds)).rejects.toMatchObject({
    facts: { reason: 'air-blast-needed', devices: 25, from: 25 },
  });
  expect(await restart(deviceIds.slice(0, 24))).toMatchObject({ counters: { target: 24 } });
});

it('as a rollout, it starts with fewer canaries, and its rollout stage only with the number of devices', async () => {
  await setRule({ airBlastFrom: 25 });
  const seen = await fixture.plan(operator, await devices(), { change });
  expect(seen).toMatchObject({ needsApproval: false, targetCount: 25 });
  expect(seen.radius.countries).toHaveLength(10);
  await fixture.next(operator, seen);
  const canaries = await fixture.next(operator, seen);
  const [canary] = canaries.waves;
  expect(canary?.devices).toBeLessThan(25);
  const { nextStep } = await fixture.settle(seen, operator);
  expect(nextStep?.step).toBe('blast');
  for (const typed of ['', '1', String((nextStep?.devices ?? 0) + 1)]) {
    await expect(fixture.next(operator, seen, typed)).rejects.toMatchObject({
      ...{ code: 2004, reason: 'device-count-not-typed' },
      facts: { devices: nextStep?.devices },
    });
  }
  expect(await fixture.next(operator, seen, String(nextStep?.devices))).toMatchObject({
    state: 'blasting',
  });
});

it('needs a second person, plain or as a rollout, if the policy requires that, as planners are shown', async () => {
  await setRule({ approvalFrom: 20 });
  const deviceIds = await devices();
  expect(await restart(deviceIds)).toMatchObject({ state: 'Approval' });
  expect(await fixture.plan(operator, await devices(), { change })).toMatchObject({
    needsApproval: true,
  });
  expect(await getLimits(fixture.deps)).toMatchObject({
    approvalDevices: 100,
    runsFrom: { disrupts: 20, changes: 100, destroys: 2 },
  });
});
