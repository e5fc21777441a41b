import { execFile } from 'node:child_process';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';
import { InstalledCli, type CliResult } from './installed-cli.ts';

let cli: InstalledCli;
let portal: TestServer;
let database: Database;
let support: AccessFixture;

beforeAll(async () => {
  [cli, portal] = await Promise.all([InstalledCli.install(), startTestServer(['--fleet', '2'])]);
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  support = await AccessFixture.open(portal, 'support');
  await seedDevices(database, [
    { serialNumber: 'CLI-1', name: '\u001B]0;owned\u0007till', country: 'DE' },
    { serialNumber: 'CLI-2', name: '咖啡机', country: 'CN', connectivity: 'offline' },
    { serialNumber: 'CLI-3', name: 'twin', country: 'FR', connectivity: 'offline' },
    { serialNumber: 'CLI-4', name: 'twin', country: 'FR', connectivity: 'offline' },
  ]);
}, 180_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

const permissions = [
  ...['devices:read', 'people:read', 'commands:read', 'documents:read', 'cases:read'],
  ...['commands:run:@reads'],
];

async function signIn(...args: readonly string[]): Promise<CliResult> {
  const started = cli.start(['sign-in', portal.url, ...args]);
  const userCode = await started.printed(/[B-Z]{4}-[B-Z]{4}/);
  await support.done('apiTokens.approveApplication', {
    ...{ userCode, name: 'cli test', days: 1, permissions },
  });
  return started.result;
}

const lines = ({ stdout }: CliResult): string[] => stdout.split('\n').filter((line) => line !== '');
const documents = <Item>(result: CliResult): Item[] =>
  lines(result).map((line) => JSON.parse(line) as Item);

test('the tarball has one program without dependencies, and the licenses of its libraries', async () => {
  const manifest = JSON.parse(
    await readFile(join(cli.packageFolder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  expect(manifest['dependencies']).toBeUndefined();
  const licenses = await readFile(join(cli.packageFolder, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licenses).toContain('commander');
  expect(licenses).toContain('string-width');
  const program = await readFile(join(cli.packageFolder, 'dist/deviceportal.mjs'), 'utf8');
  expect(program).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(program).not.toMatch(/from ["']@deviceportal/);
  expect((await cli.run(['--version'])).stdout).toBe(`${String(manifest['version'])}\n`);
});

describe('before a sign-in', () => {
  test.each([
    ['a command says how to sign in', ['devices'], 3, /sign-in <url>/],
    ['an address without encryption is rejected', ['sign-in', 'http://portal.example'], 2, /https/],
    ['an unknown command is incorrect', ['device-list'], 2, /unknown command/],
    ['a run without a reason is incorrect', ['run', 'logs/tail', '--device', 'x'], 2, /--reason/],
  ])('%s', async (_what, args, code, message) => {
    const result = await cli.run(args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
  });

  test('a denied sign-in ends with its exit code, and stores nothing', async () => {
    const started = cli.start(['sign-in', portal.url]);
    const userCode = await started.printed(/[B-Z]{4}-[B-Z]{4}/);
    await support.done('apiTokens.denyApplication', { userCode });
    expect(await started.result).toMatchObject({ code: 4, stdout: '' });
    await expect(stat(cli.signInFile)).rejects.toThrow('ENOENT');
  });
});

describe('after a sign-in', () => {
  beforeAll(async () => {
    const { code, stderr } = await signIn();
    if (code !== 0) throw new Error(stderr);
  });

  test('the token is in a file for this user only, and is not used if others can read it', async () => {
    expect((await stat(cli.signInFile)).mode & 0o777).toBe(0o600);
    await chmod(cli.signInFile, 0o644);
    expect(await cli.run(['devices'])).toMatchObject({ code: 3 });
    await chmod(cli.signInFile, 0o600);
    expect(await cli.run(['token', '--json'])).toMatchObject({ code: 0 });
  });

  test('devices are listed as a table of terminal columns, without control characters', async () => {
    const result = await cli.run([
      'devices',
      '--text',
      'CLI-',
      '--sort',
      'serialNumber',
      '--ascending',
    ]);
    const [header = '', ...rows] = lines(result);
    expect(rows).toHaveLength(4);
    expect(result.stdout).not.toContain('\u001B');
    const at = header.indexOf('MODEL');
    // Each of the three characters of the name takes two columns.
    expect(rows[1]?.slice(0, at - 3)).toMatch(/^CLI-2 +咖啡机 +$/);
  });

  test('devices are listed as one JSON document per line, across pages', async () => {
    await seedDevices(
      database,
      Array.from({ length: 120 }, (_, index) => ({
        ...{ serialNumber: `PAGE-${index}`, country: 'PL', connectivity: 'offline' as const },
      })),
    );
    const all = await cli.run(['devices', '--country', 'PL', '--limit', '500', '--json']);
    expect(new Set(documents<{ id: string }>(all).map(({ id }) => id)).size).toBe(120);
    const some = await cli.run(['devices', '--country', 'PL', '--limit', '7', '--json']);
    expect(lines(some)).toHaveLength(7);
  });

  test('metrics of a device are printed, and what the token may not read is rejected', async () => {
    const summary = async () =>
      documents<{ series: { metric: string }[] }>(await cli.run(['metrics', 'cli-2', '--json']));
    expect(await summary()).toEqual([expect.objectContaining({ series: expect.any(Array) })]);
    expect(await cli.run(['metrics', 'cli-2', '--from', 'yesterday'])).toMatchObject({ code: 6 });
    for (const command of ['alerts', 'audit-trail'])
      expect(await cli.run([command])).toMatchObject({ code: 4, stdout: '' });
  });

  test('a device is shown by its name, and a name of several is rejected', async () => {
    expect(await cli.run(['device', '咖啡机', '--json'])).toMatchObject({ code: 0 });
    expect(await cli.run(['device', 'cli-2'])).toMatchObject({ code: 0 });
    const twins = await cli.run(['device', 'twin']);
    expect(twins).toMatchObject({ code: 6, stderr: expect.stringContaining('CLI-3') });
    expect(await cli.run(['device', 'no-such-device'])).toMatchObject({ code: 5, stdout: '' });
  });

  test('a command runs on a device, is waited for, and its output is printed', async () => {
    await expect
      .poll(async () => lines(await cli.run(['devices', '--connectivity', 'online', '--json'])), {
        timeout: 60_000,
      })
      .not.toEqual([]);
    const found = await cli.run(['devices', '--connectivity', 'online', '--json']);
    const [device] = documents<{ serialNumber: string }>(found);
    const target = ['--device', device?.serialNumber ?? '', '--reason', 'test'];
    const result = await cli.run(['run', 'storage/usage', ...target, '--wait', '--json']);
    const [run] = documents<{ id: string; state: string }>(result);
    expect({ code: result.code, state: run?.state }).toEqual({ code: 0, state: 'Success' });
    const id = run?.id ?? '';
    expect((await cli.run(['output', id])).stdout).not.toBe('');
    expect(await cli.run(['watch', id])).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('Succeeded') },
    });
    expect(await cli.run(['report', id])).toMatchObject({ code: 0 });
    const listed = await cli.run(['runs', '--mine', '--json']);
    expect(documents<{ id: string }>(listed).map((each) => each.id)).toContain(id);
  }, 180_000);

  test('a document runs by its name, and the same key is the same run', async () => {
    const args = ['run', 'DevicePortal-storage-usage', '--device', '咖啡机', '--reason', 'test'];
    const keyed = [...args, '--idempotency-key', 'cli-1', '--json'];
    const ids = [await cli.run(keyed), await cli.run(keyed)].map((each) => {
      expect(each).toMatchObject({ code: 0 });
      return documents<{ id: string }>(each)[0]?.id ?? '';
    });
    expect(new Set(ids).size).toBe(1);
    const waiting = await cli.run(['watch', ids[0] ?? '', '--wait-seconds', '1']);
    expect(waiting.code).toBe(13);
    expect(await cli.run(['cancel', ids[0] ?? ''])).toMatchObject({ code: 0 });
    expect((await cli.run(['watch', ids[0] ?? ''])).code).toBe(12);
  });

  test('a missing permission is the error of the portal, as text and as JSON', async () => {
    const args = ['run', 'restart/device', '--device', 'CLI-2', '--reason', 'test'];
    expect(await cli.run(args)).toMatchObject({
      ...{ code: 4, stderr: expect.stringContaining('Required permission') },
    });
    const { stderr } = await cli.run([...args, '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 1000 } });
  });

  test('a token from the environment or the standard input works without a sign-in by code', async () => {
    const token = await cli.storedToken(portal.url);
    const env = { HOME: join(cli.project, 'elsewhere') };
    const direct = { ...env, DEVICEPORTAL_URL: portal.url, DEVICEPORTAL_TOKEN: token };
    expect(await cli.run(['devices', '--limit', '1'], { env: direct })).toMatchObject({ code: 0 });
    const piped = await cli.run(['sign-in', portal.url, '--token'], { env, input: `${token}\n` });
    expect(piped).toMatchObject({ code: 0 });
    const wrong = await cli.run(['sign-in', portal.url, '--token'], { env, input: 'dpat_wrong' });
    expect(wrong).toMatchObject({ code: 3 });
  });

  test('a portal that is away is told apart from a rejection', async () => {
    const env = { DEVICEPORTAL_URL: 'http://127.0.0.1:9', DEVICEPORTAL_TOKEN: 'dpat_x' };
    const result = await cli.run(['token'], { env });
    expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining('cannot be reached') });
  });

  test('a shell completes commands and options', async () => {
    const { stdout: script } = await cli.run(['completion', 'bash']);
    const complete = async (words: readonly string[]): Promise<string[]> => {
      const setUp = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
      const { stdout } = await promisify(execFile)('bash', [
        ...['-c', `${script}\n${setUp}\n_deviceportal\nprintf '%s\\n' "\${COMPREPLY[@]}"`],
      ]);
      return stdout.trim().split('\n');
    };
    expect(await complete(['deviceportal', 'dev'])).toEqual(['devices', 'device']);
    expect(await complete(['deviceportal', 'run', '--wa'])).toEqual(['--wait', '--wait-seconds']);
    for (const shell of ['zsh', 'fish']) {
      expect((await cli.run(['completion', shell])).stdout).toContain('sign-in');
    }
  });

  test('a sign-out revokes the token; a revoked token is told', async () => {
    const token = await cli.storedToken(portal.url);
    expect(await cli.run(['sign-out'])).toMatchObject({ code: 0 });
    const env = { DEVICEPORTAL_URL: portal.url, DEVICEPORTAL_TOKEN: token };
    expect(await cli.run(['devices'], { env })).toMatchObject({
      ...{ code: 3, stderr: expect.stringContaining('(2001)') },
    });
    const { rows } = await database.orm.execute<{ revoked: boolean }>(
      sql`select revoked_at is not null as revoked from api_token where name = 'cli test'`,
    );
    expect(rows).toEqual([{ revoked: true }]);
    expect(await cli.run(['devices'])).toMatchObject({ code: 3 });
  });
});
