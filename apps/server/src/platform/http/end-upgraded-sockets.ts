import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Upgrades are answered immediately. Without a handler for the path, the request would hang until
 * the client times out.
 */
const UNANSWERED_MS = 15_000;

/**
 * Ends WebSockets when the server closes. The server would otherwise wait for them forever.
 * Browsers reconnect automatically.
 */
export function endUpgradedSockets(app: FastifyInstance): void {
  const sockets = new Set<Duplex>();
  app.server.on('upgrade', (_request, socket: Duplex) => {
    // Without other listeners, Node would have rejected the upgrade itself.
    if (app.server.listenerCount('upgrade') === 1) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    const unanswered = setTimeout(() => {
      if ((socket as Socket).bytesWritten === 0) socket.destroy();
    }, UNANSWERED_MS).unref();
    socket.once('close', () => {
      clearTimeout(unanswered);
      sockets.delete(socket);
    });
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy();
  });
}
