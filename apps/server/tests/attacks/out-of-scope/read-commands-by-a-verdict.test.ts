import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { runCommand } from '../../../src/commands/run-command.ts';
import { getDevice } from '../../../src/devices/get-device.ts';
import { listPastFindings } from '../../../src/findings/list-past-findings.ts';
import { listFindingsOfDevices } from '../../../src/findings/list-findings-of-devices.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  createCommandFixture,
  may,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
let fixture: CommandFixture;
let deviceId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
  [deviceId = ''] = await seedDevices(db.database, [{ country: 'DE' }]);
  const target = { kind: 'devices' as const, deviceIds: [deviceId] };
  await runCommand(
    fixture.deps,
    viewerWith('Administrator'),
    runInput({ command: 'restart/agent', target }),
  );
  await db.database.orm.execute(sql`
    update invocation set state = 'Failed', status_details = 'Failed', ended_at = now()`);
});
afterAll(() => db[Symbol.asyncDispose]());

const readsElsewhere = viewerHolding([
  may(['devices:read']),
  may(['commands:read'], { ...everywhere, countries: ['FR'] }),
]);
const verdictsFor = async (viewer: Viewer): Promise<string> =>
  JSON.stringify((await getDevice(fixture.deps, viewer, deviceId)).verdicts);

test('a user without the permission for commands cannot infer from verdicts what was run on a device', async () => {
  expect(await verdictsFor(viewerWith('Viewer'))).toContain('restart/agent');
  expect(await verdictsFor(viewerHolding([may(['devices:read'])]))).not.toContain('restart/agent');
  expect(await verdictsFor(readsElsewhere)).not.toContain('restart/agent');
});

test('nor from findings, current or past, or in a report', async () => {
  await db.database.orm.execute(sql`
    with again as (
      select gen_random_uuid() as id, n from generate_series(1, 2) n)
    insert into invocation (id, run_id, device_id, state, status_details, queued_at, ended_at, deliver_before, expires_at)
    select again.id, i.run_id, i.device_id, i.state, i.status_details, i.queued_at, i.ended_at, i.deliver_before,
      i.expires_at from invocation i, again`);
  const facts = { count: 3, command: 'restart/agent', statusDetails: 'Failed', responseCode: 7 };
  await db.database.orm.execute(sql`
    insert into finding_history (device_id, rule, severity, facts, opened_at, closed_at)
    values (${deviceId}, 'repeated-failures', 'warning', ${JSON.stringify(facts)}::jsonb, now(), now())`);
  const period = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', limit: 10 };
  const told = async (viewer: Viewer): Promise<string> => {
    const { verdicts } = await getDevice(fixture.deps, viewer, deviceId);
    const past = await listPastFindings(db.database.orm, viewer, { deviceId, limit: 10 });
    const reported = await listFindingsOfDevices(fixture.deps, viewer, {
      ...{ deviceIds: [deviceId], ...period },
    });
    expect([verdicts, past, reported].map((found) => found.length)).toEqual([1, 1, 1]);
    return JSON.stringify({ verdicts, past, reported });
  };
  expect(await told(viewerWith('Viewer'))).toContain('restart/agent');
  for (const viewer of [viewerHolding([may(['devices:read'])]), readsElsewhere]) {
    expect(await told(viewer)).not.toMatch(/restart.agent|"Failed"|invocationId":"|Code":7/);
  }
});
