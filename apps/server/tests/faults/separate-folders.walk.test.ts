import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';

/** Two servers of one database, each with a folder of its own, as on two machines. */
let first: PortalPrograms;
let second: PortalPrograms;
let database: TestDatabase;
const LIMIT_MS = 120_000;

beforeAll(async () => {
  database = await createTestDatabase();
  first = await PortalPrograms.prepare();
  second = await PortalPrograms.prepare();
  await first.startServer(settings());
}, LIMIT_MS);
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
}, LIMIT_MS);

const settings = (more: Record<string, string> = {}) => ({
  DEVICEPORTAL_DATABASE_URL: database.url,
  ...more,
});

/** The lines of a server that must not start, and its exit code. */
async function refusalOf(more: Record<string, string> = {}): Promise<[string[], number | null]> {
  const before = second.server.output.length;
  await expect(second.startServer(settings(more))).rejects.toThrow('the server ended');
  const code = await second.server.ended();
  return [second.server.output.slice(before).trimEnd().split('\n'), code];
}

const copySecrets = (...folders: string[]) =>
  Promise.all(
    folders.map((name) =>
      cp(join(first.dataDir, name), join(second.dataDir, name), { recursive: true }),
    ),
  );
/** As if the folders of files were mounted on both machines. */
const shareFiles = () => cp(join(first.dataDir, 'files-id'), join(second.dataDir, 'files-id'));
const withoutGateway = { DEVICEPORTAL_ROLES: 'web,worker,identity' };

test(
  'a second server with a folder of files of its own is refused',
  async () => {
    expect(await refusalOf()).toEqual([
      [expect.stringMatching(/^The files of this database are in \S+ on .*s3:\/\/bucket\/prefix/)],
      1,
    ]);
    await shareFiles();
  },
  LIMIT_MS,
);

test(
  'a second server starts only with the secrets of the first, and says which one it lacks',
  async () => {
    expect(await refusalOf()).toEqual([
      [expect.stringMatching(/keys\/installation\.key is missing, but .* Copy the folders/)],
      1,
    ]);
    await copySecrets('keys');
    await rm(join(second.dataDir, 'keys/idp-application.secret'));
    expect(await refusalOf()).toEqual([
      [expect.stringMatching(/idp-application\.secret is missing, but .* Copy the folders/)],
      1,
    ]);
    await copySecrets('keys');
    await second.startServer(settings(withoutGateway));
    await PortalPerson.signIn(second.url);
    expect(await second.server.end('SIGTERM')).toBe(0);
  },
  LIMIT_MS,
);

test(
  'a second gateway is refused beside the first, and after it without its device authority',
  async () => {
    await copySecrets('keys');
    const owner = new RegExp(`^The server \\S+:\\d+ already serves the devices of this database`);
    expect(await refusalOf()).toEqual([[expect.stringMatching(owner)], 1]);

    const person = await PortalPerson.signIn(first.url);
    const agent = first.startAgent('one', await person.createClaim('one'));
    const deviceId = await person.untilOnline(agent);
    await first.server.end('SIGKILL');
    expect(await refusalOf()).toEqual([
      [expect.stringMatching(/certificates\/authority\.pem is missing, but .* Copy the folders/)],
      1,
    ]);
    await copySecrets('certificates');
    await second.startServer(settings());
    const taken = await PortalPerson.signIn(second.url);
    expect((await taken.ask('devices.get', { device: deviceId })).status).toBe(200);
    expect(await second.server.end('SIGTERM')).toBe(0);
    await first.startServer(settings());
  },
  LIMIT_MS,
);

test(
  'after kill -9 of the gateway another one takes over, and the killed one waits for its end',
  async () => {
    await copySecrets('keys', 'certificates');
    await first.server.end('SIGKILL');
    await second.startServer(settings());
    await expect(first.startServer(settings())).rejects.toThrow('the server ended');
    await second.server.end('SIGKILL');
    await first.startServer(settings());
  },
  LIMIT_MS,
);
