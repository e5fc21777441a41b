import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port nobody listens on. It is only known to be free now, which is enough where the operator asked for any. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
