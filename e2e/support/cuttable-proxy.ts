import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between browsers and a portal that counts live channels and can cut them. */
export interface CuttableProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of open live channels. */
  readonly liveConnections: () => number;
  /** Number of live channels ever opened. */
  readonly liveConnectionsMade: () => number;
  /** Ends all live channels immediately, and rejects new ones until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
}

export async function openCuttableProxy(targetPort: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const live = new Set<Socket>();
  let made = 0;
  let isCut = false;
  const server = createServer((inner) => {
    const outer = connect(targetPort, '127.0.0.1');
    const end = (): void => {
      sockets.delete(inner);
      live.delete(inner);
      inner.destroy();
      outer.destroy();
    };
    sockets.add(inner);
    for (const socket of [inner, outer]) socket.on('error', end).on('close', end);
    inner.once('data', (first: Buffer) => {
      const isLive = first.toString('latin1').startsWith('GET /mqtt');
      if (isLive && isCut) return end();
      if (isLive) {
        live.add(inner);
        made += 1;
      }
      outer.write(first);
      inner.pipe(outer);
      outer.pipe(inner);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    liveConnections: () => live.size,
    liveConnectionsMade: () => made,
    cut() {
      isCut = true;
      for (const socket of live) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
