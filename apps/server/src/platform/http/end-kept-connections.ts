import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;

/**
 * Ends connections when they become idle while the server closes. Closing ends only connections
 * that are idle at that moment. Others would be kept alive after their response, and the stop would
 * wait for the keep-alive timeout.
 */
export function endKeptConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS);
    timer.unref();
    app.server.once('close', () => clearInterval(timer));
  });
}
