import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer } from '../../support/start-test-server.ts';
import { startFileDevice, type FileDevice } from '../file-device.ts';
import { InstalledCli, type CliResult } from './installed-cli.ts';

const resources = new AsyncDisposableStack();
const permissions = ['devices:read', 'files:read'];
let cli: InstalledCli;
let url: string;
let device: FileDevice;
let token: string;
let target: string;

beforeAll(async () => {
  cli = resources.use(await InstalledCli.install());
  const portal = resources.use(await startTestServer());
  ({ url } = portal);
  const admin = await AccessFixture.open(portal, 'admin');
  await admin.createRole('File users', [...permissions, 'api-tokens:create']);
  await admin.invite('files@example.com', 'File users');
  const user = await AccessFixture.open(portal, 'files@example.com');
  ({ token } = await ApiTokenClient.personal(url, user, { permissions }));
  device = resources.use(await startFileDevice(portal, admin, { country: 'DE' }));
  target = join(cli.project, 'downloads');
  await mkdir(target);
  await writeFile(join(device.folder, 'kiosk.log'), 'content');
}, 240_000);
afterAll(() => resources.disposeAsync());

const run = (...args: readonly string[]): Promise<CliResult> =>
  cli.run(['files', ...args, '--reason', 'test of the CLI'], {
    env: { DEVICEPORTAL_URL: url, DEVICEPORTAL_TOKEN: token },
  });

test('a folder is listed, as a table and as JSON', async () => {
  const table = await run('list', device.serialNumber, device.folder);
  expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/kiosk\.log +7 /) });
  const { stdout } = await run('list', device.serialNumber, device.folder, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ name: 'kiosk.log', kind: 'file', bytes: 7 });
});

test('a file is saved whole, and replaces another one only with --force', async () => {
  const path = join(device.folder, 'kiosk.log');
  const output = join(target, 'saved.log');
  const get = ['get', device.serialNumber, path, '--output', output];
  expect(await run(...get)).toMatchObject({ code: 0, stdout: expect.stringContaining('SHA-256') });
  expect(await readFile(output, 'utf8')).toBe('content');
  await writeFile(path, 'changed');
  expect(await run(...get)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  expect(await readFile(output, 'utf8')).toBe('content');
  expect(await run(...get, '--force')).toMatchObject({ code: 0 });
  expect(await readFile(output, 'utf8')).toBe('changed');
  expect(await readdir(target)).toEqual(['saved.log']);
});

test('what cannot be read or saved is told with its reason, and leaves nothing', async () => {
  const output = join(target, 'none');
  expect(await run('get', device.serialNumber, '/etc/passwd', '--output', output)).toMatchObject({
    ...{ code: 6, stderr: expect.stringContaining('outside') },
  });
  const missing = join(target, 'no-folder', 'x');
  const path = join(device.folder, 'kiosk.log');
  expect(await run('get', device.serialNumber, path, '--output', missing)).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('ENOENT') },
  });
  expect(await readdir(target)).not.toContain('none');
});

test('an upload is pointed to the portal', async () => {
  expect(await run('put', device.serialNumber, '/x')).toMatchObject({
    ...{ code: 4, stderr: expect.stringContaining('second step') },
  });
});
