import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * A currently free port. Another process can still take it, which is acceptable if any port was
 * requested.
 */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
