import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { parseArgs, promisify } from 'node:util';
import { createIdentityService } from '@deviceportal/identity/identity-service';
import { migrateIdentity } from '@deviceportal/identity/migrate-identity';
import Fastify from 'fastify';
import type pg from 'pg';
import { registerIdentityRoutes } from '../apps/server/src/compose/identity-routes.ts';
import { openBenchDatabase, openTempDir, printRatio } from './device-fixture.ts';

/** Minimum rate of complete sign-ins relative to their signatures and statements alone. */
const LIMIT = 0.35;
const PARALLEL = 16;
const WARM_UP = 50;
/** The kinds of work alternate, so that the machine's load affects all of them. */
const ROUNDS = 5;
const SIGNATURES = 2;

/**
 * Complete sign-ins per second over HTTP: InitiateAuth, a code, RespondToAuthChallenge, three
 * tokens. Compared in the same run with the bare work: two RS256 signatures, and the same number of
 * reads and single-row commits. `--seconds 8`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
  const seconds = Number(values.seconds);
  await using resources = new AsyncDisposableStack();
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  const { pool } = database;
  await migrateIdentity(pool);
  const statements = countStatements(pool);
  const signIn = await openSignIn(resources, pool);
  statements.reset();
  for (let turn = 0; turn < WARM_UP; turn += 1) await signIn(0);
  const { reads, writes } = statements.perUnit(WARM_UP);
  const works = [signIn, bareSignatures(), await bareTransactions(pool, { reads, writes })];
  const [full = 0, signatures = 0, transactions = 0] = await takeTurns(works, seconds);
  const bound = 1 / (1 / signatures + 1 / transactions);
  const line = (name: string, perSecond: number) =>
    process.stdout.write(`${name.padEnd(46)} ${perSecond.toFixed(0).padStart(6)} / s\n`);
  line('full sign-ins', full);
  line(`bare: ${SIGNATURES} signatures`, signatures);
  line(`bare: ${reads.toFixed(1)} reads, ${writes.toFixed(1)} commits`, transactions);
  line('bare: both, one after the other', bound);
  const bounding = signatures < transactions ? 'signatures' : 'transactions';
  process.stdout.write(`of the bare work the ${bounding} take longer\n`);
  printRatio('full sign-ins / bare work', full / bound, { atLeast: LIMIT });
}

type Work = (worker: number) => Promise<void>;

/** @returns the number of operations of each kind per second */
async function takeTurns(works: readonly Work[], seconds: number): Promise<number[]> {
  const sums = works.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      sums[index] = (sums[index] ?? 0) + (await rate(seconds / ROUNDS, work));
    }
  }
  return sums.map((sum) => sum / ROUNDS);
}

async function rate(seconds: number, work: Work): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: PARALLEL }, async (_, worker) => {
      while (performance.now() < endAt) {
        await work(worker);
        done += 1;
      }
    }),
  );
  return (done * 1_000) / (performance.now() - startedAt);
}

async function openSignIn(resources: AsyncDisposableStack, pool: pg.Pool): Promise<Work> {
  const codes = new Map<string, string>();
  const service = await createIdentityService({
    pool,
    sealingKey: randomBytes(32),
    messenger: { send: async ({ to, code }) => void codes.set(to, code ?? '') },
    settings: { issuer: 'http://localhost/identity/us-east-1_DevicePortal', limits: 'off' },
  });
  const http = Fastify();
  registerIdentityRoutes(http, service, { hasUserPool: true, origins: [] });
  await http.listen({ host: '127.0.0.1', port: 0 });
  resources.defer(() => http.close());
  const { port } = http.server.address() as AddressInfo;
  for (let worker = 0; worker < PARALLEL; worker += 1) {
    await service.users.createUser({ username: `w${worker}`, email: `w${worker}@corp.example` });
  }
  const call = async (operation: string, input: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}/identity`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify({ ClientId: service.settings.userPoolClientId, ...input }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  };
  return async (worker) => {
    const USERNAME = `w${worker}`;
    const started = await call('InitiateAuth', {
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME },
    });
    const done = await call('RespondToAuthChallenge', {
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session: started['Session'],
      ChallengeResponses: { USERNAME, ANSWER: codes.get(`${USERNAME}@corp.example`) },
    });
    if (done['AuthenticationResult'] === undefined) throw new Error('no tokens');
  };
}

function bareSignatures(): Work {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const token = randomBytes(700);
  const signToken = promisify<string, Buffer, typeof privateKey, Buffer>(sign);
  return async () => {
    for (let count = 0; count < SIGNATURES; count += 1) {
      await signToken('RSA-SHA256', token, privateKey);
    }
  };
}

interface Statements {
  readonly reads: number;
  readonly writes: number;
}

async function bareTransactions(pool: pg.Pool, { reads, writes }: Statements): Promise<Work> {
  await pool.query('create table bench_row (id int primary key, text text)');
  await pool.query(
    `insert into bench_row select i, repeat('x', 200) from generate_series(1, 1000) i`,
  );
  let turn = 0;
  return async () => {
    turn += 1;
    for (let count = 0; count < Math.round(reads); count += 1) {
      await pool.query('select * from bench_row where id = $1', [1 + (turn % 1_000)]);
    }
    for (let count = 0; count < Math.round(writes); count += 1) {
      await pool.query('update bench_row set text = $2 where id = $1', [1 + (turn % 1_000), 'y']);
    }
  };
}

/** Counts the statements of a sign-in for the bare work. */
function countStatements(pool: pg.Pool) {
  let [reads, writes] = [0, 0];
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  pool.query = ((...args: unknown[]) => {
    if (/^\s*select/i.test(String(args[0]))) reads += 1;
    else writes += 1;
    return query(...args);
  }) as typeof pool.query;
  return {
    reset: () => ([reads, writes] = [0, 0]),
    perUnit: (units: number): Statements => ({ reads: reads / units, writes: writes / units }),
  };
}

await main();
