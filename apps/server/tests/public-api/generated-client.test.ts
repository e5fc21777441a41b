import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderOf, lacksParts } from '../../../../packages/aws/tests/parts/parts.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { seedPerson } from '../cases/case-fixture.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { startTestServer } from '../support/start-test-server.ts';

const run = promisify(execFile);
const permissions = [
  ...['devices:read', 'people:read', 'commands:read', 'documents:read', 'cases:manage'],
  'commands:run:@reads',
];

describe.skipIf(lacksParts('openapi-python-client'))('a client in Python', () => {
  test('that is generated from the description does the support jobs', async () => {
    await using resources = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'deviceportal-client-'));
    resources.defer(() => rm(folder, { recursive: true }));
    const portal = resources.use(await startTestServer());
    const database = resources.use(
      openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 }),
    );
    await seedDevices(database, [
      { serialNumber: 'PYTHON-1', country: 'DE', connectivity: 'offline' },
    ]);
    const { id: person } = await seedPerson(database, 'Maria Gomez', ['FR']);
    const support = await AccessFixture.open(portal, 'support');
    const { token } = await ApiTokenClient.personal(portal.url, support, { permissions });

    const programs = join(folderOf('openapi-python-client'), 'bin');
    const address = `${portal.url}/api/v1`;
    await run(
      // Its own program names the folder in which it was installed, before that was moved.
      join(programs, 'python'),
      [
        ...[
          '-m',
          'openapi_python_client',
          'generate',
          '--url',
          `${address}/openapi.json`,
          '--meta',
          'none',
          '--fail-on-warning',
        ],
        ...['--output-path', join(folder, 'device_portal_api_client')],
      ],
      // It formats its files with a program beside it.
      { env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` } },
    );
    const script = join(import.meta.dirname, 'support_jobs.py');
    const { stdout } = await run(join(programs, 'python'), [
      ...[script, folder, address, token, 'PYTHON-1', person],
    ]);
    expect(JSON.parse(stdout)).toEqual({
      found: expect.arrayContaining(['PYTHON-1']),
      listed: ['PYTHON-1'],
      problem: 'offline',
      parameters: expect.any(Number),
      ...{ repeated: true, output: 0, canceled: true, reported: ['PYTHON-1'] },
      entries: ['note', 'command', 'opened'],
      ...{ case: 'closed', error: 6000 },
    });
  });
});
