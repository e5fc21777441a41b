import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { composeSealed } from '../../src/compose/compose-sealed.ts';
import { announceServer } from '../../src/installation/announce-server.ts';
import { openOwnSecrets } from '../../src/installation/open-own-secrets.ts';
import { rotateInstallationKey } from '../../src/installation/rotate-installation-key.ts';
import {
  scheduleRotations,
  type ScheduledRotation,
} from '../../src/installation/schedule-rotations.ts';
import { withRotationLock } from '../../src/installation/with-rotation-lock.ts';
import type { InstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { createJobs, type Jobs } from '../../src/platform/jobs/jobs.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/gateway-fixture.ts';
import { fileSecretsIn } from '../support/secrets/file-secrets-in.ts';

const MAX_AGE_DAYS = 365;
const JOB = 'installation-rotate-secrets';
const logger = createLogger({ logLevel: 'silent' });

interface Server {
  readonly secrets: InstallationSecrets;
  readonly jobs: Jobs;
}

let resources: AsyncDisposableStack;
let db: TestDatabase;
let dataDir: string;
let daysLater: number;
const clock = (): Date => new Date(Date.now() + daysLater * 86_400_000);

beforeEach(async () => {
  daysLater = 0;
  resources = new AsyncDisposableStack();
  dataDir = await mkdtemp(join(tmpdir(), 'dp-scheduled-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  db = resources.use(await createTestDatabase());
});
afterEach(() => resources.disposeAsync());

/** A server of the installation, reduced to its part in rotations: it announces itself and runs the job. */
async function startServer(
  maxAgeDays = MAX_AGE_DAYS,
  before: readonly ScheduledRotation[] = [],
): Promise<Server> {
  const { database } = db;
  const config = fileSecretsIn(dataDir);
  const secrets = await openOwnSecrets({ database, config });
  const onRefreshed = () => Promise.resolve();
  resources.use(await announceServer({ database, secrets, logger, onRefreshed }));
  const metrics = createMetrics();
  const jobs = resources.use(createJobs({ database, logger, metrics, work: true }));
  const deps = { database, secrets, clock, waitMs: 15_000 };
  const sealed = composeSealed({ database, secrets });
  scheduleRotations({ database, clock, jobs, logger }, [
    ...before,
    {
      ...{ name: 'installation-key', maxAgeDays },
      rotate: (begin) => rotateInstallationKey({ ...deps, sealed }, { begin, now: false }),
    },
  ]);
  await jobs.start();
  return { secrets, jobs };
}

/** Runs the hourly job on all servers. Resolves with the outcome of each. */
async function theHourComes(...servers: readonly Server[]): Promise<string[]> {
  const job = defineJob(JOB, z.object({}), () => Promise.resolve());
  await Promise.all(servers.map(({ jobs }) => jobs.send(job, {})));
  const ended = await until(async () => {
    const { rows } = await db.owner.pool.query<{ state: string }>(
      'select state from jobs.job where name = $1',
      [JOB],
    );
    const isOver = rows.every(({ state }) => state === 'completed' || state === 'failed');
    return rows.length >= servers.length && isOver && rows;
  }, 20_000);
  return ended.map(({ state }) => state);
}

const keyOf = ({ secrets }: Server): string =>
  Buffer.from(secrets.installationKey.current).toString('base64');

async function countRotations(): Promise<number> {
  const { rowCount } = await db.database.pool.query(
    "select from audit_event where type = 'installation.secret-rotated'",
  );
  return rowCount ?? 0;
}

test('[rotation-1] keeps a key before its maximum age and rotates it afterwards', async () => {
  const server = await startServer();
  const first = keyOf(server);
  daysLater = MAX_AGE_DAYS - 1;
  expect(await theHourComes(server)).toEqual(['completed']);
  expect(keyOf(server)).toBe(first);
  daysLater = MAX_AGE_DAYS + 1;
  expect(await theHourComes(server)).toEqual(['completed', 'completed']);
  expect(keyOf(server)).not.toBe(first);
  expect(await countRotations()).toBe(1);
  // The key is new, and the previous one stays accepted until the next week.
  expect(await theHourComes(server)).toHaveLength(3);
  expect(await countRotations()).toBe(1);
  expect(server.secrets.installationKey.earlier).toHaveLength(1);
});

test('starts no rotation with the age 0, and continues one that an operator started', async () => {
  const server = await startServer(0);
  const first = keyOf(server);
  daysLater = 5_000;
  await theHourComes(server);
  expect(keyOf(server)).toBe(first);
  // The state after a command was killed.
  await server.secrets.installationKey.prepare();
  await theHourComes(server);
  expect(keyOf(server)).not.toBe(first);
});

test('[rotation-3] rotates the key once when two servers run the job at the same time, and both use it', async () => {
  const [one, other] = [await startServer(), await startServer()];
  const first = keyOf(one);
  daysLater = MAX_AGE_DAYS + 1;
  expect(await theHourComes(one, other)).toEqual(['completed', 'completed']);
  expect(await countRotations()).toBe(1);
  expect(keyOf(one)).not.toBe(first);
  expect(keyOf(other)).toBe(keyOf(one));
  expect(one.secrets.installationKey.earlier).toHaveLength(1);
});

test('does nothing and does not fail while a command rotates', async () => {
  const server = await startServer();
  const first = keyOf(server);
  daysLater = MAX_AGE_DAYS + 1;
  const states = await withRotationLock(db.database, () => theHourComes(server));
  expect(states).toEqual(['completed']);
  expect(keyOf(server)).toBe(first);
});

test('continues with the next rotation after one fails, and reports the failure', async () => {
  const broken: ScheduledRotation = {
    ...{ name: 'device-authority', maxAgeDays: 1 },
    rotate: () => Promise.reject(new Error('no space left on device')),
  };
  const server = await startServer(MAX_AGE_DAYS, [broken]);
  const first = keyOf(server);
  daysLater = MAX_AGE_DAYS + 1;
  expect(await theHourComes(server)).toEqual(['failed']);
  expect(keyOf(server)).not.toBe(first);
});
