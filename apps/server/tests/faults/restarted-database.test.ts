import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentityService } from '@deviceportal/identity/identity-service';
import { migrateIdentity } from '@deviceportal/identity/migrate-identity';
import { expect, test } from 'vitest';
import {
  answer,
  start,
  type PoolReply,
} from '../../../../packages/identity/tests/support/direct-client.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';

const PEOPLE = 12;

async function openSetup(resources: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'dp-restart-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const postgres = resources.use(await startEmbeddedPostgres({ dataDir: join(folder, 'data') }));
  const database = resources.use(openDatabase({ url: postgres.url, maxConnections: 8 }));
  await migrateIdentity(database.pool);
  const codes = new Map<string, string>();
  const service = await createIdentityService({
    pool: database.pool,
    sealingKey: randomBytes(32),
    messenger: { send: async ({ to, code }) => void codes.set(to, code ?? '') },
    settings: { issuer: 'http://localhost/identity/us-east-1_DevicePortal', limits: 'off' },
  });
  const people = Array.from({ length: PEOPLE }, (_, index) => `p${index}`);
  for (const username of people) {
    await service.users.createUser({ username, email: `${username}@corp.example` });
  }
  const codeOf = (username: string) => codes.get(`${username}@corp.example`) ?? 'none';
  return { postgres, database, service, people, codeOf };
}

const isOurFailure = (reply: PoolReply) => reply.__type === 'InternalErrorException';

/** Like clients do: retries after a server error (500). */
async function persist(work: () => Promise<PoolReply>): Promise<PoolReply> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const reply = await work();
    if (!isOurFailure(reply)) return reply;
    await sleep(50);
  }
  throw new Error('the database did not restart');
}

test('keeps a challenge when the database is killed between the code and its response', async () => {
  await using resources = new AsyncDisposableStack();
  const setup = await openSetup(resources);
  const sessions = new Map<string, string | undefined>();
  for (const username of setup.people) {
    sessions.set(username, (await start(setup, username)).Session);
  }
  process.kill(setup.postgres.pid, 'SIGKILL');
  await sleep(50);
  const replies = await Promise.all(
    setup.people.map((username) =>
      persist(() =>
        answer(setup, { username, session: sessions.get(username), code: setup.codeOf(username) }),
      ),
    ),
  );
  expect(replies.filter(({ AuthenticationResult }) => AuthenticationResult)).toHaveLength(PEOPLE);
});

test('opens at most one session from responses during the restart, and every user can sign in', async () => {
  await using resources = new AsyncDisposableStack();
  const setup = await openSetup(resources);
  const signIn = async (username: string): Promise<PoolReply> => {
    const started = await persist(() => start(setup, username));
    return persist(() =>
      answer(setup, { username, session: started.Session, code: setup.codeOf(username) }),
    );
  };
  const running = Promise.all(setup.people.map(signIn));
  await sleep(25);
  process.kill(setup.postgres.pid, 'SIGKILL');
  const first = await running;
  for (const [index, username] of setup.people.entries()) {
    const reply = first[index];
    const isIn = reply?.AuthenticationResult !== undefined;
    // A response may have been consumed just before the database was killed, its reply lost; a new code works.
    if (!isIn) expect((await signIn(username)).AuthenticationResult).toBeDefined();
  }
  const { rows } = await setup.database.pool.query<{ most: number }>(
    'select max(n) as most from (select count(*) as n from identity.refresh_token group by sub) t',
  );
  expect(rows[0]?.most).toBeLessThanOrEqual(2);
});
