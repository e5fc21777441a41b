import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;

/**
 * Ends connections as they fall idle while the server closes. Closing ends those that are idle at that moment only: one
 * whose answer was still on its way is kept for the next request, and the stop would wait for its keep-alive time.
 */
export function endKeptConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS);
    timer.unref();
    app.server.once('close', () => clearInterval(timer));
  });
}
