import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExplainInput, Reason } from '@deviceportal/contract/explanations';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import { explain } from '../../src/explanations/explain.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { may, seedDevices, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');
const reader = viewerWith('Viewer');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const why = async (of: ExplainInput, viewer: Viewer = operator): Promise<readonly Reason[]> => {
  const [only] = await explain(fixture.deps, viewer, of);
  return only?.reasons ?? [];
};
const codes = (reasons: readonly Reason[]) => reasons.map(({ code }) => code);

describe('a rejected call', () => {
  const holder = (permission: Permission, countries: readonly string[]) =>
    viewerHolding([
      { permissions: ['devices:read'], scope: everywhere },
      { permissions: [permission], scope: { ...everywhere, countries } },
    ]);

  it('is explained with the roles that have the missing permission', async () => {
    const of = { kind: 'permission', permission: 'api-calls:read', deviceId: null } as const;
    expect(await why(of, reader)).toMatchObject([
      {
        code: 'permission-missing',
        facts: { permission: 'api-calls:read', roles: 'Administrator, Auditor' },
        act: { kind: 'request-access', on: { permission: 'api-calls:read' } },
      },
    ]);
    expect(await why(of, viewerWith('Auditor'))).toEqual([]);
  });

  it('is explained with the scope of the viewer’s permission if it does not contain the device', async () => {
    const [deviceId] = (await seedDevices(test.database, [{ country: 'FR' }])) as [string];
    const permission = 'commands:run:@disrupts';
    const of = { kind: 'permission', permission, deviceId } as const;
    expect(await why(of, holder(permission, ['DE']))).toMatchObject([
      { code: 'permission-elsewhere', facts: { permission, scope: 'DE' } },
    ]);
    expect(await why(of, holder(permission, ['FR']))).toEqual([]);
  });
});

describe('a viewer with all permissions', () => {
  const administrator = viewerWith('Administrator');

  it('sees who has to act, and never a request for access', async () => {
    const plan = await fixture.plan(operator, await seedDevices(test.database, [{}, {}]));
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    const failed = await fixture.settle(plan, operator, () => 'Failed');
    const of = { kind: 'air-blast', id: failed.id } as const;
    expect(await why(of, administrator)).toMatchObject([
      {
        code: 'air-blast-failed',
        act: { kind: 'retry-air-blast', lacks: { kind: 'person', who: operator.username } },
      },
    ]);
    expect((await why(of))[0]?.act?.lacks).toBeNull();
  });

  it('is not told to request a permission that only the planner lacked', async () => {
    const inGermany = viewerHolding([
      { permissions: ['air-blast:run', 'devices:read', 'documents:read'], scope: everywhere },
      { permissions: ['commands:run:@changes'], scope: { ...everywhere, countries: ['DE'] } },
    ]);
    const [near, far] = (await seedDevices(test.database, [
      { country: 'DE' },
      { country: 'FR' },
    ])) as [string, string];
    const plan = await fixture.plan(inGermany, [near, far]);
    const of = { kind: 'air-blast-target', id: plan.id, deviceId: far } as const;
    expect(await why(of, administrator)).toMatchObject([
      { code: 'target-excluded', facts: { reason: 'not-permitted' }, act: { kind: 'open-device' } },
    ]);
  });
});

describe('a device that a command would exclude', () => {
  const target = (deviceId = '', command = 'restart/agent') =>
    ({ kind: 'command-target', command, document: '', deviceId }) as const;

  it('is explained before the command is sent, with the same result as sending it', async () => {
    const [suspended, unregistered, away, nameless] = await seedDevices(test.database, [
      { lifecycle: 'suspended' },
      { enrolled: false },
      { connectivity: 'offline' },
      { serialNumber: null },
    ]);
    expect(await why(target(suspended))).toMatchObject([
      { code: 'device-suspended', act: { kind: 'resume-device', lacks: null } },
    ]);
    expect(codes(await why(target(unregistered)))).toEqual(['device-not-enrolled']);
    expect(await why(target(away))).toEqual([]);
    expect(codes(await why(target(nameless, 'software/install')))).toEqual([
      'device-no-serial-number',
    ]);
    expect(
      await why(target(away), viewerHolding([may(['devices:read', 'commands:read'])])),
    ).toMatchObject([
      {
        code: 'permission-missing',
        act: {
          kind: 'request-access',
          on: { command: 'restart/agent', device: expect.stringMatching(/./) },
        },
      },
    ]);
  });

  it('does not exist for viewers outside its scope', async () => {
    const [inGermany] = await seedDevices(test.database, [{ country: 'DE' }]);
    const inFrance = viewerWith('Operator', { ...everywhere, countries: ['FR'] });
    await expect(why(target(inGermany), inFrance)).rejects.toMatchObject({ code: 6000 });
  });
});
