import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { Page } from '@deviceportal/contract/pages';
import type { Schedule } from '@deviceportal/contract/schedules';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { AccessFixture } from '../support/access-fixture.ts';
import {
  BackupFixture,
  runRestore,
  type RestorePlace,
} from '../support/database/backup-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { serveInstallation, type TestServer } from '../support/start-test-server.ts';

/**
 * A backup of the last release whose tables had the words elevation, artefact, enrolment, and lease, made with one of
 * everything that was renamed: a favorite command, a running and a requested temporary access, a signed schedule, a
 * collected file, the file of a software version, a pending re-enrollment, and an application with an access key.
 */
const backup = join(import.meta.dirname, '../support/database/backup-of-an-earlier-release.gz');

const resources = new AsyncDisposableStack();
let place: RestorePlace;
let portal: TestServer;
let admin: AccessFixture;

beforeAll(async () => {
  const setup = resources.use(await BackupFixture.open());
  place = await setup.place();
  const restored = await runRestore(place, [backup, '--plaintext', '--trust-keys-in-backup']);
  if (restored.code !== 0) throw new Error(restored.output);
  const installation = { dataDir: place.dataDir, databaseUrl: place.database.url };
  portal = resources.use(await serveInstallation(installation));
  admin = await AccessFixture.open(portal, 'admin');
}, 120_000);
afterAll(() => resources.disposeAsync());

const rowsOf = async <Row>(text: string): Promise<Row[]> =>
  (await place.database.owner.pool.query(text)).rows as Row[];

test('tables, columns, and indexes have the names of this release', async () => {
  const former = 'elevation|artefact|enrolment|organisation|(^|_)lease(_|$)';
  const names = await rowsOf(`
    select name from (
      select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'identity')
      union all
      select column_name from information_schema.columns where table_schema in ('public', 'identity')
    ) named where name ~ '${former}'`);
  expect(names).toEqual([]);
});

test('a favorite command is still a favorite', async () => {
  const commands = await admin.read<CommandDefinition[]>('commands.list');
  expect(commands.filter(({ favorite }) => favorite).map(({ command }) => command)).toEqual([
    'logs/tail',
  ]);
});

test('temporary access is listed, and has ended at its time', async () => {
  await rowsOf(`update access_grant set ends_at = now(), asked_at = now() - interval '2 days'`);
  await until(async () => {
    const open = await rowsOf(`select from access_grant where state in ('waiting', 'running')`);
    return open.length === 0;
  });
  const { rows } = await admin.read<Page<AccessGrantRow>>('access.accessGrants.list', {
    open: false,
  });
  expect(rows.map(({ roleName, state }) => [roleName, state]).toSorted()).toEqual([
    ['Auditor', 'ended'],
    ['Operator', 'lapsed'],
  ]);
});

test('a collected file and the file of a version can be downloaded', async () => {
  const [sent] = await rowsOf<{ id: string }>(
    'select invocation_id as id from invocation_artifact',
  );
  const { artifacts } = await admin.read<InvocationDetail>('commands.getInvocation', {
    id: sent?.id,
  });
  const file = await fetch(new URL(artifacts[0]?.downloadUrl ?? '', portal.url));
  expect(await file.text()).toBe('collected');
  const versions = await admin.read<SoftwareVersionRow[]>('versions.list', {
    component: 'firmware',
  });
  expect(versions).toMatchObject([{ version: '1.0.0', artifact: { name: 'image.bin', bytes: 5 } }]);
});

test('a schedule is sent by the signature of the earlier release', async () => {
  await rowsOf(`update run_schedule set next_at = date_trunc('minute', now())`);
  const [schedule] = await until(async () => {
    const found = await admin.read<Schedule[]>('schedules.list');
    return found.some(({ lastRunId }) => lastRunId !== null) && found;
  }, 30_000);
  expect(schedule).toMatchObject({ name: 'nightly logs', lastError: null });
}, 40_000);

test('applications and access keys of the identity provider are there', async () => {
  const keys = await admin.read<Page<{ name: string }>>('provider.accessKeys.list', {});
  expect(keys.rows.map(({ name }) => name)).toContain('nightly');
});
