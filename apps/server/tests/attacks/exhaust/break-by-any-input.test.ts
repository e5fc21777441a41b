import { Writable } from 'node:stream';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAppRouter, type AppRouterDependencies } from '../../../src/api/app-router.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { seedPerson } from '../../cases/case-fixture.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { generateInput } from '../../support/generate-input.ts';
import { hugeValue, oddAnnotations, oddValue, withOddity } from '../../support/odd-values.ts';
import { query, signIn } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';
import { isThorough } from '../../support/is-thorough.ts';

/** Inputs per request. */
const BATCH = 20;
const ROUNDS = isThorough ? 15 : 1;
const HUGE_INPUTS = isThorough ? 5 : 1;
/** After a thousand changes, one user's changes are throttled. */
const CHANGES_EACH = 900;

interface Procedure {
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly input: z.ZodType | undefined;
}

// Building the router calls none of its dependencies.
const { procedures } = createAppRouter({} as AppRouterDependencies)._def;
const all: readonly Procedure[] = Object.entries(
  procedures as unknown as Record<string, { _def: Record<string, unknown> }>,
).map(([path, { _def }]) => ({
  path,
  type: _def['type'] as Procedure['type'],
  input: (_def['inputs'] as readonly z.ZodType[])[0],
}));

const log: string[] = [];
let portal: TestServer;
let database: Database;
let given: (name: string) => readonly unknown[] | undefined;
let changes = 0;
let callers = 0;
let caller: { readonly identifier: string; readonly token: string };

beforeAll(async () => {
  portal = await startTestServer(
    [],
    { DEVICEPORTAL_LOG_LEVEL: 'warn' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(chunk.toString());
        done();
      },
    }),
  );
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  const admin = await AccessFixture.open(portal, 'admin');
  const [deviceId = ''] = await seedDevices(database, [{ serialNumber: 'ODD-1', name: 'Odd box' }]);
  const person = await seedPerson(database, 'Ottilie Odd');
  await database.orm.execute(sql`update device set owner_id = ${person.id} where id = ${deviceId}`);
  const run = await admin.done<{ id: string; invocationId: string }>('commands.run', {
    command: 'logs/tail',
    target: { kind: 'devices', deviceIds: [deviceId] },
    idempotencyKey: '019a0000-0000-4000-8000-0000000000b1',
  });
  const { id: caseId } = await admin.done<{ id: string }>('cases.open', { personId: person.id });
  const values: Readonly<Record<string, readonly unknown[]>> = {
    ...{ deviceId: [deviceId], deviceIds: [deviceId], device: [deviceId] },
    ...{ personId: [person.id], ownerId: [person.id], caseId: [caseId] },
    ...{ runId: [run.id], invocationId: [run.invocationId] },
    id: [deviceId, person.id, run.id, run.invocationId, caseId],
    command: ['logs/tail', 'restart/device'],
    cursor: [null],
  };
  given = (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
  caller = await newCaller();
}, 120_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** Another administrator, because the changes of each are limited. */
async function newCaller(): Promise<typeof caller> {
  callers += 1;
  changes = 0;
  const identifier = `odd-${callers}@example.com`;
  const admin = await AccessFixture.open(portal, 'admin');
  await admin.invite(identifier, 'Administrator');
  return { identifier, token: await signIn(portal.url, identifier) };
}

async function tokenFor({ type }: Procedure): Promise<string> {
  if (type === 'mutation') changes += BATCH;
  if (changes > CHANGES_EACH) caller = await newCaller();
  return caller.token;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A batch of inputs that are already JSON. */
async function send({ path, type }: Procedure, inputs: readonly string[]): Promise<Answer> {
  const token = await tokenFor({ path, type, input: undefined });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const names = inputs.map(() => path).join(',');
  const url = `${portal.url}/api/trpc/${names}?batch=1`;
  const body = `{${inputs.map((input, index) => `"${index}":${input}`).join(',')}}`;
  const reply =
    type === 'query'
      ? await fetch(`${url}&input=${encodeURIComponent(body.toWellFormed())}`, { headers })
      : await fetch(url, { method: 'POST', headers, body });
  return { status: reply.status, text: await reply.text() };
}

interface WireAnswer {
  readonly error?: { readonly json: { readonly data: { readonly portal: { code: number } } } };
}

/** Responses that are not in the catalog, and internal errors. */
function faultsOf({ status, text }: Answer): readonly string[] {
  if (status >= 500) return [`${status} ${text.slice(0, 500)}`];
  const answers = [JSON.parse(text)].flat() as readonly WireAnswer[];
  return answers.flatMap((answer) => {
    const code = answer.error?.json.data.portal.code;
    return code === -1 || code === 2002 ? [JSON.stringify(answer).slice(0, 500)] : [];
  });
}

const wire = (input: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(input, fc.option(oddAnnotations, { freq: 8, nil: undefined }))
    .map(([json, meta]) => JSON.stringify({ json, meta }));

async function breakIt(
  one: Procedure,
  inputs: fc.Arbitrary<unknown>,
  { rounds, batch }: { readonly rounds: number; readonly batch: number },
): Promise<void> {
  const batches = fc.array(wire(inputs), { minLength: batch, maxLength: batch });
  await fc.assert(
    fc.asyncProperty(batches, async (bodies) => {
      const before = log.length;
      let answer = await send(one, bodies);
      if (answer.status === 401) {
        // The call has ended its own session.
        caller = { ...caller, token: await signIn(portal.url, caller.identifier) };
        answer = await send(one, bodies);
      }
      expect(faultsOf(answer)).toEqual([]);
      expect(log.slice(before)).toEqual([]);
    }),
    { numRuns: rounds },
  );
}

const baseOf = ({ input }: Procedure): unknown =>
  input === undefined ? {} : (generateInput(input, given) ?? generateInput(input));

test.each(all.map((one) => [one.path, one] as const))(
  'no input of %s makes the server fail',
  async (_path, one) => {
    const base = baseOf(one);
    await breakIt(one, withOddity(base, oddValue), { rounds: ROUNDS, batch: BATCH });
    await breakIt(one, withOddity(base, hugeValue), { rounds: HUGE_INPUTS, batch: 1 });
  },
  isThorough ? 300_000 : 60_000,
);

test('the server works normally after all of these inputs', async () => {
  const { status, data } = await query(portal.url, { path: 'session.get', token: caller.token });
  expect({ status, data }).toMatchObject({
    status: 200,
    data: { username: caller.identifier },
  });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
