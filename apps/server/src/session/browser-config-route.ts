import type { FastifyInstance } from 'fastify';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** GET `/api/config`: the configuration that the browser needs before sign-in. */
export function registerBrowserConfigRoute(
  app: FastifyInstance,
  config: Omit<BrowserConfig, 'supportedCountries'>,
  named: Pick<NamedSettings, 'supportedCountries'>,
): void {
  app.get('/api/config', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .send({ ...config, supportedCountries: named.supportedCountries }),
  );
}
