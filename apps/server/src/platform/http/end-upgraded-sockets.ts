import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Whoever takes an upgrade answers it at once; a path that nobody takes would hang until the client gives up. */
const UNANSWERED_MS = 15_000;

/**
 * Ends WebSockets when the server closes: they are requests no longer, so nobody waits for them, but the server would
 * wait for ever until they are gone. Browsers reconnect by themselves.
 */
export function endUpgradedSockets(app: FastifyInstance): void {
  const sockets = new Set<Duplex>();
  app.server.on('upgrade', (_request, socket: Duplex) => {
    // Where nothing else listens, Node would have refused the upgrade itself.
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
