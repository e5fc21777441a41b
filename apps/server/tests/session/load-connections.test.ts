import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConnections } from '../../src/session/load-connections.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connections-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const github = {
  protocol: 'oauth',
  kind: 'social',
  identifier: 'github',
  displayName: 'GitHub',
  clientId: 'id',
  clientSecret: 'a secret that nobody reads',
  authorizationEndpoint: 'https://github.example/authorize',
  tokenEndpoint: 'https://github.example/token',
  userinfoEndpoint: 'https://api.github.example/user',
  subjectField: 'id',
};

const load = async (content: string) => {
  const file = join(folder, 'connections.json');
  await writeFile(file, content);
  return loadConnections(file);
};

test('reads a file of connections and fills in defaults', async () => {
  expect(await load(JSON.stringify([github]))).toMatchObject([
    { identifier: 'github', createsUsers: false, trustsEmail: false },
  ]);
});

test.each([
  ['invalid JSON', '{', /is not JSON/],
  ['an unknown protocol', JSON.stringify([{ ...github, protocol: 'telepathy' }]), /0\.protocol/],
  [
    'a field that is missing',
    JSON.stringify([{ ...github, tokenEndpoint: undefined }]),
    /0\.tokenEndpoint/,
  ],
  ['a field that is unknown', JSON.stringify([{ ...github, clientsecret: 'x' }]), /clientsecret/],
  ['one identifier twice', JSON.stringify([github, github]), /identifiers must differ/],
])('stops the start for %s and names the place', async (_what, content, reason) => {
  const refused = load(content);
  await expect(refused).rejects.toThrow(reason);
  await expect(refused).rejects.not.toThrow(/a secret that nobody reads/);
});

test('stops the start when the file does not exist', async () => {
  await expect(loadConnections(join(folder, 'none.json'))).rejects.toThrow(/ENOENT/);
});
