import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedImport, ImportDetail } from '@deviceportal/contract/imports';
import { mutate, query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let token: string;

beforeAll(async () => {
  portal = await startTestServer();
  token = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

async function create(): Promise<CreatedImport> {
  const input = { kind: 'devices', fileName: 'file.csv' };
  const answer = await mutate(portal.url, { path: 'imports.create', input, token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data as CreatedImport;
}
const get = async (id: string): Promise<ImportDetail> =>
  (await query(portal.url, { path: 'imports.get', input: { id }, token })).data as ImportDetail;

test('a file that is rejected while it is sent does not end the server', async () => {
  const { id, uploadUrl } = await create();
  const body = Buffer.alloc(5_000_000);
  const sent = await fetch(`${portal.url}${uploadUrl}`, { method: 'PUT', body });
  expect(sent.status).toBe(204);
  expect(await get(id)).toMatchObject({
    state: 'rejected',
    problem: { reason: 'import-not-text' },
  });
});

test('a connection that ends within a file changes nothing, and the file can be sent again', async () => {
  const { id, uploadUrl } = await create();
  const { hostname, port } = new URL(portal.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `PUT ${uploadUrl} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000\r\n\r\n`;
      socket.write(`${head}serialNumber\nHALF0001\n`, () =>
        setTimeout(() => socket.destroy(), 200),
      );
    });
    socket.on('close', () => resolve());
  });
  expect(await get(id)).toMatchObject({ state: 'uploading' });
  const body = 'serialNumber\nWHOLE001\nWHOLE002\n';
  const sent = await fetch(`${portal.url}${uploadUrl}`, { method: 'PUT', body });
  expect(sent.status).toBe(204);
  expect(await get(id)).toMatchObject({ state: 'checking', counts: { rows: 2 } });
});

test('a link for another import, or one that was changed, is not found', async () => {
  const { uploadUrl } = await create();
  const { id } = await create();
  const forged = uploadUrl.replace(/import-files\/[^?]+/, `import-files/${id}`);
  const sent = await fetch(`${portal.url}${forged}`, { method: 'PUT', body: 'serialNumber\nX\n' });
  expect(sent.status).toBe(404);
  expect(await get(id)).toMatchObject({ state: 'uploading' });
});
