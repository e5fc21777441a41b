import type { FastifyInstance } from 'fastify';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** GET `/api/config`: the configuration that the browser needs before sign-in. */
export function registerBrowserConfigRoute(app: FastifyInstance, config: BrowserConfig): void {
  app.get('/api/config', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(config),
  );
}
