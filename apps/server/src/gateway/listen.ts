import type { AddressInfo, Server } from 'node:net';

const BACKLOG = 4_096;

/** Listens and returns the port; null for a Unix socket. */
export function listen(
  server: Server,
  target: { readonly host: string; readonly port: number } | string,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const ready = (): void => {
      server.off('error', reject);
      server.on('error', () => {});
      const address = server.address();
      resolve(typeof address === 'object' ? (address as AddressInfo).port : null);
    };
    if (typeof target === 'string') server.listen(target, ready);
    else server.listen({ ...target, backlog: BACKLOG }, ready);
  });
}
