import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
beforeAll(async () => {
  portal = await startTestServer();
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a stranger cannot block the server by a live channel with many parameters', async () => {
  const { hostname, port } = new URL(portal.url);
  const parameters = Array.from({ length: 150_000 }, (_, number) => `a${number}`).join('&');
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const before = performance.now();
  socket.write(
    [
      `GET /mqtt?${parameters} HTTP/1.1`,
      `Host: ${hostname}`,
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: mqtt', '', ''],
    ].join('\r\n'),
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  expect(performance.now() - before).toBeLessThan(3_000);
}, 60_000);
