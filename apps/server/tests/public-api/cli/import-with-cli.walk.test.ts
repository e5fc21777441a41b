import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';
import { InstalledCli, type CliResult } from './installed-cli.ts';

let cli: InstalledCli;
let portal: TestServer;
let admin: AccessFixture;
let token: string;

beforeAll(async () => {
  [cli, portal] = await Promise.all([InstalledCli.install(), startTestServer()]);
  admin = await AccessFixture.open(portal, 'admin');
  token = await tokenFor({});
}, 180_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

async function tokenFor({
  permissions = ['devices:read', 'devices:manage'],
  scope = {},
}: {
  readonly permissions?: readonly string[];
  readonly scope?: object;
}): Promise<string> {
  return (await ApiTokenClient.personal(portal.url, admin, { permissions, scope })).token;
}

async function run(
  args: readonly string[],
  { content = '', by = token }: { readonly content?: string; readonly by?: string } = {},
): Promise<CliResult> {
  await writeFile(file(), content);
  const env = { DEVICEPORTAL_URL: portal.url, DEVICEPORTAL_TOKEN: by };
  return cli.run(args, { env });
}
const file = (): string => join(cli.project, 'devices.csv');
const documents = <Item>({ stdout }: CliResult): Item[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Item);
const importing = (...options: readonly string[]): string[] => [
  ...['import', 'devices', file(), ...options],
];
const namesOf = async (text: string): Promise<string[]> =>
  documents<{ name: string }>(await run(['devices', '--text', text, '--json'])).map(
    ({ name }) => name,
  );

interface Import {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

describe('importing devices', () => {
  test('only checks a file, and shows its bad rows, until --confirm', async () => {
    const content =
      'serialNumber,name,country\nCLIA00001,one,DE\nx,two,\nCLIA00003,three,Nowhere\n';
    const result = await run(importing(), { content });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/3 +x +serialNumber/);
    expect(result.stdout).toMatch(/4 +CLIA00003 +country/);
    expect(result.stdout).toMatch(/State +discarded|State +ready/);
    expect(await namesOf('CLIA')).toEqual([]);
  });

  test('writes the good rows, repeats without a change, and is undone', async () => {
    const content = 'serialNumber,name\nCLIB00001,one\nCLIB00002,two\nx,bad\n';
    const first = await run(importing('--confirm', '--json'), { content });
    expect(first.code).toBe(0);
    const done = documents<Import>(first).at(-1);
    expect(done).toMatchObject({ state: 'applied', counts: { applied: 2, refused: 1 } });
    const again = await run(importing('--confirm', '--json'), { content });
    expect(documents<Import>(again).at(-1)).toMatchObject({ counts: { unchanged: 2, applied: 0 } });
    expect((await namesOf('CLIB')).toSorted()).toEqual(['one', 'two']);
    const undone = await run(['undo-import', done?.id ?? '']);
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringMatching(/Undone +2/) });
    expect(await namesOf('CLIB')).toEqual([]);
  });

  test('a file that cannot be read as a table has its own exit code', async () => {
    const result = await run(importing('--confirm'), { content: 'a,b\n1,2\n' });
    expect(result).toMatchObject({ code: 6, stdout: expect.stringMatching(/Problem/) });
  });

  test('a file that is missing, and people, are rejected before anything is sent', async () => {
    expect(await run(['import', 'devices', join(cli.project, 'none.csv')])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('ENOENT') },
    });
    expect(await run(['import', 'people', file()], { content: 'username\na\n' })).toMatchObject({
      ...{ code: 4, stdout: '' },
    });
  });

  test('a token without the permission imports nothing', async () => {
    const by = await tokenFor({ permissions: ['devices:read'] });
    const content = 'serialNumber\nCLIC00001\n';
    const result = await run(importing('--confirm'), { content, by });
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(await namesOf('CLIC')).toEqual([]);
  });

  test('a token of other devices imports only its own', async () => {
    const by = await tokenFor({ scope: { countries: ['DE'] } });
    const content = 'serialNumber,name,country\nCLID00001,abroad,FR\nCLID00002,home,DE\n';
    const result = await run(importing('--confirm'), { content, by });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/Refused +1/) });
    expect(await namesOf('CLID')).toEqual(['home']);
  });
});
