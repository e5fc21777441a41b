import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const log: string[] = [];
let portal: TestServer;
beforeAll(async () => {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  portal = await startTestServer([], { DEVICEPORTAL_LOG_LEVEL: 'warn' }, destination);
});
afterAll(() => portal[Symbol.asyncDispose]());

async function send(head: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(portal.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

const PLACES = [
  '/api/config',
  '/idp/cas/session',
  '/idp/oidc/auth',
  '/idp/graphql/v2',
  '/identity',
];

test.each<[string, number, (place: string) => readonly string[]]>([
  ['a Host that is none', 400, (place) => [`GET ${place} HTTP/1.1`, 'Host: a b']],
  ['two Hosts', 400, (place) => [`GET ${place} HTTP/1.1`, 'Host: a', 'Host: b']],
  ['a fragment', 400, (place) => [`GET ${place}#?a HTTP/1.1`, 'Host: a']],
  ['a long address', 414, (place) => [`GET ${place}?a=${'x'.repeat(140_000)} HTTP/1.1`, 'Host: a']],
  [
    'a long header',
    431,
    (place) => [`GET ${place} HTTP/1.1`, 'Host: a', `A: ${'x'.repeat(70_000)}`],
  ],
])('a stranger leaves no error in the log by %s', async (_what, status, headOf) => {
  for (const place of PLACES) {
    const answer = await send(headOf(place));
    expect(answer.split('\r\n', 1)[0], place).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  }
  expect(log).toEqual([]);
});
