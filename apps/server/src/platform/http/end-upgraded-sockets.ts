import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

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
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy();
  });
}
