import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openProvider } from '../provider/support/open-provider.ts';

test('an attacker whose subscription was rejected does not keep the connection', async () => {
  await using idp = await openProvider();
  const { host, hostname, pathname, port } = new URL(idp.host);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(
    `GET ${pathname}/events/v1/authentication/sub?code=a&token=b HTTP/1.1\r\nhost: ${host}\r\n` +
      'connection: upgrade\r\nupgrade: websocket\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
  // Its own end stays open; what it goes on to say is answered by a reset once the server has let go.
  const gone = new Promise((resolve) => {
    socket.on('error', () => {}).once('close', resolve);
  });
  const speak = setInterval(() => socket.write('x'), 200);
  const ended = await Promise.race([
    gone.then(() => true),
    new Promise((resolve) => setTimeout(resolve, 5_000, false)),
  ]);
  clearInterval(speak);
  socket.destroy();
  expect(ended).toBe(true);
});
