import { fastify, type FastifyInstance } from 'fastify';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultsFormat } from '@deviceportal/contract/run-results';
import { PortalError } from '@deviceportal/contract/errors';
import { addResultsRoutes, signResultsUrl } from '../../src/commands/answers/results-routes.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { exportResults } from '../../src/commands/answers/export-results.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const DEVICES = 1_203;
const PIECE = 15_999;
/** Longer than the first part that is read for many invocations, and than one piece of the stored output. */
const OUTPUT = `=cmd(), "quoted"\nnext ${'0123456789 '.repeat(120_000)}the end`;

let test: TestDatabase;
let fixture: CommandFixture;
let app: FastifyInstance;
let runId = '';
const operator = viewerWith('Operator');
const links = createPersonLinks({
  signer: createUrlSigner(Buffer.alloc(32, 7), () => new Date()),
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  app = fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof PortalError ? error.httpStatus : 500).send(String(error)),
  );
  addResultsRoutes(app, { ...fixture.deps, links });
  const deviceIds = await seedDevices(
    test.database,
    Array.from({ length: DEVICES }, (_, index) => ({ country: index < 3 ? 'FR' : 'DE' })),
  );
  const target = { kind: 'devices' as const, deviceIds };
  runId = (
    await runCommand(fixture.deps, operator, runInput({ command: 'restart/device', target }))
  ).id;
  await test.database.orm.execute(sql`
    update invocation set state = 'Failed', status_details = 'Failed', response_code = 3, ended_at = now(),
      stdout_length = ${OUTPUT.length} where run_id = ${runId} and device_id = ${deviceIds[0]}`);
  for (let offset = 0; offset < OUTPUT.length; offset += PIECE) {
    await test.database.orm.execute(sql`
      insert into invocation_output (invocation_id, stream, "offset", text)
      select id, 'stdout', ${offset}, ${OUTPUT.slice(offset, offset + PIECE)} from invocation
      where run_id = ${runId} and device_id = ${deviceIds[0]}`);
  }
});
afterAll(async () => {
  await app.close();
  await test[Symbol.asyncDispose]();
});

const urlFor = async (viewer: typeof operator, format: ResultsFormat) => {
  const signing = {
    ...fixture.deps,
    signResultsUrl: (...[link, holder]: Parameters<typeof fixture.deps.signResultsUrl>) =>
      signResultsUrl(links, link, holder),
  };
  return (await exportResults(signing, { viewer, ...origin }, { id: runId, format })).downloadUrl;
};

it('the file contains every device once with its complete output, as JSON and as CSV', async () => {
  const json = await app.inject(await urlFor(operator, 'json'));
  const rows = json.json<{ device_id: string; exit_code: number | null; stdout: string }[]>();
  expect(new Set(rows.map((row) => row.device_id)).size).toBe(DEVICES);
  const failed = rows.filter((row) => row.exit_code === 3);
  expect(failed).toHaveLength(1);
  expect(failed[0]?.stdout).toBe(OUTPUT);
  const csv = await app.inject(await urlFor(operator, 'csv'));
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="run-${runId}.csv"`);
  expect(csv.body.match(/\r\n/g)).toHaveLength(DEVICES + 1);
  // Spreadsheets do not interpret an output as a formula.
  expect(csv.body).toContain(`,"'${OUTPUT.replaceAll('"', '""')}",\r\n`);
});

it('a link shows what its creator can see, and cannot be extended', async () => {
  const inFrance = viewerWith('Operator', { countries: ['FR'], models: [], labels: {} });
  const url = await urlFor(inFrance, 'json');
  expect((await app.inject(url)).json()).toHaveLength(3);
  const everywhere = Buffer.from('[{"countries":[],"models":[],"labels":{}}]').toString(
    'base64url',
  );
  const widened = url.replace(/scope=[^&]+/, `scope=${everywhere}`);
  expect((await app.inject(widened)).statusCode).toBe(404);
  expect((await app.inject(url.replace('.json', '.csv'))).statusCode).toBe(404);
});
