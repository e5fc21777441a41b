import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { assumeOperatorRole, handOver, takeOver } from '../../../src/air-blast/change-operator.ts';
import { getAirBlast } from '../../../src/air-blast/get-air-blast.ts';
import { leaveOutFailed } from '../../../src/air-blast/steps/leave-out-failed.ts';
import { startStep } from '../../../src/air-blast/steps/start-step.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { approveSoftware } from '../../../src/versions/approve-software.ts';
import { changeSoftwareState } from '../../../src/versions/change-software-state.ts';
import { listApprovals, listSoftware } from '../../../src/versions/list-software.ts';
import { registerSoftware } from '../../../src/versions/register-software.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../../support/air-blast/air-blast-fixture.ts';
import {
  may,
  origin,
  seedDevices,
  viewerHolding,
  viewerWith,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const NAME = 'quince@example.com';
const quince: Viewer = { ...viewerWith('Administrator'), username: NAME };
const faceless = viewerHolding([
  may(['air-blast:run', 'devices:read', 'versions:read', 'commands:run:@changes']),
]);

let db: TestDatabase;
let fixture: AirBlastFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createAirBlastFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Everything that the user reads from the response, an error or not. */
const readOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (answer) => JSON.stringify(answer),
    (error: Error & { facts?: object }) => JSON.stringify([error.message, error.facts]),
  );

async function rollout(devices: number): Promise<AirBlastDetail> {
  const ids = await seedDevices(
    db.database,
    Array.from({ length: devices }, () => ({})),
  );
  return fixture.plan(quince, ids, { options: { canaryPercent: 10 } });
}

test('a user without the permission for people cannot read who operates a rollout', async () => {
  const { id } = await rollout(2);
  for (const act of [handOver, takeOver]) {
    const read = await readOf(act(fixture.deps, faceless, { id, origin }));
    expect(read).toMatch(/q••• operates/);
    expect(read).toContain('"operator":"q•••"');
    expect(read).not.toContain(quince.username);
  }
});

test('nor who started one of its steps', async () => {
  const planned = await rollout(2);
  const { id, targetSha256, revision } = planned;
  await fixture.next(quince, planned);
  await handOver(fixture.deps, quince, { id, origin });
  await takeOver(fixture.deps, faceless, { id, origin });
  await assumeOperatorRole(fixture.deps, faceless, { id, origin });
  const step = 'preflight' as const;
  const claims = { runId: id, step, operatorId: faceless.userId, targetSha256, revision };
  const { token } = await fixture.deps.tokens.issue(claims, new Date());
  const again = startStep(fixture.deps, faceless, { id, step, token, confirmation: '', origin });
  expect(await readOf(again)).toContain('"by":"q•••"');
});

test('nor who excluded devices from it', async () => {
  const planned = await rollout(40);
  const { id } = planned;
  await fixture.next(quince, planned);
  await fixture.next(quince, planned);
  let ended = 0;
  await fixture.settle(planned, quince, () => ((ended += 1) === 1 ? 'Failed' : 'Success'));
  await leaveOutFailed(fixture.deps, quince, { id, origin });
  expect(await readOf(getAirBlast(fixture.deps, quince, id))).toContain(`"leftOutBy":"${NAME}"`);
  expect(await readOf(getAirBlast(fixture.deps, faceless, id))).toContain('"leftOutBy":"q•••"');
});

test('nor who registered or approved a version', async () => {
  const caller = { viewer: quince, ...origin };
  const version = { component: 'firmware', version: '1.0.0' };
  await registerSoftware(fixture.deps, caller, {
    ...{ ...version, models: [], channel: 'stable', releasedAt: null, notes: '' },
  });
  await changeSoftwareState(fixture.deps, caller, { ...version, state: 'approved', reason: '' });
  await approveSoftware(fixture.deps, caller, {
    ...{ ...version, model: 'M1', country: '*', mandatoryFrom: null },
  });
  const readBy = async (viewer: Viewer): Promise<string> =>
    JSON.stringify([
      await listSoftware(fixture.deps, viewer, 'firmware'),
      await listApprovals(fixture.deps, viewer, 'firmware'),
    ]);
  expect(await readBy(viewerWith('Operator'))).toContain(NAME);
  expect(await readBy(faceless)).not.toContain(NAME);
});
