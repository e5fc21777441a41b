import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAthenaFront } from '../../../../../packages/aws/tests/parts/athena-front.ts';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import { partCredentials } from '../../../../../packages/aws/tests/parts/start-part.ts';
import { archiveTableStatements } from '../../../src/audit-trail/archive/history/archive-table.ts';
import { createArchiveTable } from '../../../src/cli/admin/create-archive-table.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createLogger } from '../../../src/platform/logging.ts';

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', partCredentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', partCredentials.secretAccessKey);
});
afterEach(() => void vi.unstubAllEnvs());

const table = {
  ...{ database: 'deviceportal', name: 'audit_trail' },
  location: 's3://files/portal/audit-trail/',
};

test('the table has a column for each field, and a folder for each month', () => {
  const [, statement = ''] = archiveTableStatements(table);
  expect(statement).toContain('`deviceid` string');
  expect(statement).toContain("location 's3://files/portal/audit-trail/'");
  expect(statement).toContain(
    "'storage.location.template' = 's3://files/portal/audit-trail/${month}/'",
  );
});

test.skipIf(lacks())('the command creates the table with the settings of the server', async () => {
  await using front = await startAthenaFront(async () => ({ columns: [], rows: [] }));
  const answer = await run({ DEVICEPORTAL_ANALYTICS_ENDPOINT: front.endpoint });
  expect(answer).toContain(table.location);
  expect(front.executions.map(({ sql }) => sql)).toEqual(archiveTableStatements(table));
});

test.skipIf(lacks())('the command says what Athena answered', async () => {
  const denied = () => Promise.reject(new Error('not authorized to perform: glue:CreateTable'));
  await using front = await startAthenaFront(denied);
  await expect(run({ DEVICEPORTAL_ANALYTICS_ENDPOINT: front.endpoint })).rejects.toThrow(
    'The table was not created. Athena answered: not authorized',
  );
});

test('without a workgroup, the command says which setting is missing', async () => {
  const config = readConfig({ argv: [], env: {}, workingDir: '/srv' });
  await expect(runWith(config)).rejects.toThrow('DEVICEPORTAL_ANALYTICS_WORKGROUP');
});

const run = (env: Readonly<Record<string, string>>): Promise<string> =>
  runWith(
    readConfig({
      argv: [],
      env: {
        DEVICEPORTAL_ANALYTICS_WORKGROUP: 'portal',
        DEVICEPORTAL_FILES: 's3://files/portal',
        ...env,
      },
      workingDir: '/srv',
    }),
  );

async function runWith(config: ReturnType<typeof readConfig>): Promise<string> {
  await using resources = new AsyncDisposableStack();
  const context = {
    words: [],
    options: new Map(),
    config,
    logger: createLogger(config),
    resources,
  };
  return createArchiveTable.run(context, []);
}
