import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import { createApiCallRecorder } from '../../src/api-calls/api-call-recorder.ts';
import { maskInput } from '../../src/api-calls/mask-input.ts';
import { apiCall } from '../api-calls/api-call.ts';
import { query } from '../support/portal-api.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const get = (path: string, input: unknown) => query(portal.url, { path, input, token: admin });

describe('hostile input', () => {
  test('[hostile-1] a NUL character is a wrong value, 2004, and no failure of ours', async () => {
    expect(await get('search.find', { text: 'a\u0000b' })).toMatchObject({ code: 2004 });
    expect(await get('documents.get', { name: 'abc\u0000' })).toMatchObject({ code: 2004 });
  });

  test('[hostile-2] an input that is cut through a character can be kept', () => {
    for (let length = 1_980; length < 2_000; length += 1) {
      const kept = maskInput({ command: `${'x'.repeat(length)}😀😀😀😀😀😀😀😀` }) ?? '';
      expect(kept.isWellFormed()).toBe(true);
    }
  });

  test('[hostile-3] a call that cannot be written does not keep the others from the log', async () => {
    await using db = await createTestDatabase();
    const { database } = db;
    const errors: unknown[] = [];
    await using journal = await mkdtempDisposable(join(tmpdir(), 'deviceportal-calls-'));
    const journalDir = journal.path;
    const recorder = createApiCallRecorder({ database, journalDir }, (error) => errors.push(error));
    recorder.record(apiCall({ path: 'poison', input: 'half \ud83d' }));
    await expect.poll(() => errors.length, { timeout: 5_000 }).toBe(1);
    recorder.record(apiCall({ path: 'after.poison' }));
    await recorder[Symbol.asyncDispose]();
    const { rows } = await database.pool.query(
      "select path from api_call where path = 'after.poison'",
    );
    expect(rows).toHaveLength(1);
  });

  test('[hostile-4] what people are called stays out of the API call log', () => {
    const remembered = maskInput({ kind: 'person', id: '1', label: 'Anna Berg' });
    expect(remembered).not.toContain('Anna');
    expect(maskInput({ cursor: 'QW5uYQ', content: 'secret: 1' })).toBe(
      '{"cursor":"•••","content":"•••"}',
    );
  });

  test('[cells-1] cells of odd sizes, laid over each other, tell no more than a tenth of a degree', async () => {
    const odd = await get('locations.cells', { cellDegrees: 0.1234 });
    const even = await get('locations.cells', { cellDegrees: 0.1 });
    expect(odd.data).toEqual(even.data);
  });

  test('[hostile-5] whoever is not signed in fills no log: one entry for a batch, without its inputs', async () => {
    const names = Array.from({ length: 50 }, () => 'search.find').join(',');
    const refused = await fetch(`${portal.url}/api/trpc/${names}?batch=1&input=%7B%7D`);
    expect(refused.status).toBe(401);
    await refused.text();
    const kept = async () => {
      const answer = await get('apiCalls.list', { path: 'search.find', onlyErrors: true });
      return (answer.data as { rows: ApiCall[] }).rows.filter(
        ({ errorCode }) => errorCode === 2001,
      );
    };
    await expect.poll(kept, { timeout: 5_000 }).toHaveLength(1);
    expect((await kept())[0]?.input).toBeNull();
  });

  test('[hostile-6] a cursor that somebody made up is a wrong value, 2004', async () => {
    const cursor = Buffer.from('["yesterday","x"]').toString('base64url');
    for (const path of ['apiCalls.list', 'people.list', 'devices.list', 'commands.listRuns']) {
      expect(await get(path, { cursor })).toMatchObject({ code: 2004 });
    }
  });

  test('[headers-1] answers about this moment are kept by nobody', async () => {
    const reply = await fetch(`${portal.url}/api/trpc/session.get`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
});
