import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { ErasureProgress } from '@deviceportal/contract/personal-data';
import { AccessFixture } from '../support/access-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';

const LIMIT_MS = 180_000;
const ADDRESS = 'maria-quill@example.com';
const CALLS = 60_000;
const resources = new AsyncDisposableStack();
let setup: TestDatabase;
let portal: PortalPrograms;
let admin: AccessFixture;
let user: UserRow;

beforeAll(async () => {
  setup = resources.use(await createTestDatabase());
  portal = resources.use(await PortalPrograms.prepare());
  await startServer();
  admin = await AccessFixture.open(portal, 'admin');
  user = await admin.invite(ADDRESS);
  await admin.done('access.users.changeStatus', { id: user.id, act: 'resign', reason: '' });
  await rowsOf(
    setup.database,
    `insert into api_call (id, at, user_id, username, address, kind, path, batch_size, duration_ms, status, request_id)
     select gen_random_uuid(), now(), $1, $2, '192.0.2.77', 'query', 'devices.list', 1, 1, 200, 'r'
     from generate_series(1, $3::int)`,
    [user.id, ADDRESS, CALLS],
  );
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

const startServer = (): Promise<void> =>
  portal.startServer({ DEVICEPORTAL_DATABASE_URL: setup.url });

const countNamed = async (): Promise<number> =>
  (
    await rowsOf<{ count: number }>(
      setup.database,
      'select count(*)::int as count from api_call where username = $1',
      [ADDRESS],
    )
  )[0]?.count ?? 0;

test(
  'an erasure goes on after the server was killed between its batches',
  async () => {
    const input = { kind: 'user', id: user.id };
    const flight = admin
      .order('personalData.erase', { ...input, username: ADDRESS })
      .catch(() => undefined);
    await until(async () => {
      const named = await countNamed();
      return named > 0 && named < CALLS;
    }, 60_000);
    await portal.server.end('SIGKILL');
    await flight;
    expect(await countNamed()).toBeGreaterThan(0);
    await startServer();
    const read = () => admin.read<ErasureProgress>('personalData.progress', input);
    const progress = await until(async () => {
      const found = await read();
      return found.state === 'finishing' && found;
    }, 60_000);
    expect(progress.changed).toBeGreaterThanOrEqual(CALLS);
    expect(await countNamed()).toBe(0);
  },
  LIMIT_MS,
);
