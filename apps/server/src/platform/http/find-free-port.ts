import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (32768 and up), macOS and Windows (49152 and up) give to outgoing
 * connections: one of those could take a port between its being found free and its use.
 */
const FIRST_PORT = 10_000;
const PORT_COUNT = 20_000;

/** Processes that look for ports at the same time begin far from each other. */
let next = (process.pid * 1009) % PORT_COUNT;

/**
 * A currently free port. Another server can still take it, which is acceptable if any port was
 * requested.
 *
 * @throws the last error of the system if no port can be listened on
 */
export async function findFreePort(host: string): Promise<number> {
  let failure: unknown;
  for (let tries = 0; tries < PORT_COUNT; tries += 1) {
    const port = FIRST_PORT + next;
    next = (next + 1) % PORT_COUNT;
    try {
      await tryToListen(port, host);
      return port;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function tryToListen(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
