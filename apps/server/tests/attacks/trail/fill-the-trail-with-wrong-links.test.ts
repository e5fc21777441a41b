import pg from 'pg';
import { expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { startTestServer } from '../../support/start-test-server.ts';

const TRIES = 40;

test('guessed signatures of links are recorded in one event, whatever their number', async () => {
  await using portal = await startTestServer();
  const expires = Math.floor(Date.now() / 1_000) + 600;
  const guess = async (method: 'GET' | 'PUT', path: string): Promise<number> => {
    const signature = Buffer.alloc(32, newId()).toString('base64url');
    const url = `${portal.url}${path}/${newId()}?expires=${expires}&signature=${signature}&name=x`;
    return (await fetch(url, { method })).status;
  };
  const statuses = new Set<number>();
  for (let turn = 0; turn < TRIES; turn += 1) {
    statuses.add(await guess('GET', '/artefacts'));
    statuses.add(await guess('PUT', '/device-artefacts'));
  }
  expect([...statuses].every((status) => status === 403 || status === 404)).toBe(true);
  // Counts are written at the end of their window, or when the server stops.
  await portal.server[Symbol.asyncDispose]();
  const client = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ actor_kind: string; data: object }>(
    `select actor_kind, data from audit_event where type = 'access.links-refused'`,
  );
  await client.end();
  expect(rows).toMatchObject([
    {
      actor_kind: 'system',
      data: { counts: { 'artefact-download': TRIES, 'artefact-upload': TRIES } },
    },
  ]);
});
