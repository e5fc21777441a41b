import type { FastifyInstance } from 'fastify';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * Rejects requests with ambiguous URLs: Host headers that are not a single host (RFC 9112, section
 * 3.2), which libraries use to build URLs, and fragments (section 3.2.1), which the router would
 * treat as a query.
 */
export function requirePlainAddress(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: { host }, raw: { rawHeaders, url } }) => {
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw refuse('host-repeated');
    if (host !== undefined && !URL.canParse(`http://${host}`)) throw refuse('host-invalid');
    if (url?.includes('#')) throw refuse('address-has-fragment');
  });
}
