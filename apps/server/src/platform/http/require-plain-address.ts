import type { FastifyInstance } from 'fastify';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * Refuses requests with an address that two readers could understand differently: Host headers that are not one host
 * (RFC 9112, section 3.2: libraries make addresses of it), and a fragment (section 3.2.1: what follows it is a query to
 * the router alone).
 */
export function requirePlainAddress(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: { host }, raw: { rawHeaders, url } }) => {
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw refuse('host-repeated');
    if (host !== undefined && !URL.canParse(`http://${host}`)) throw refuse('host-invalid');
    if (url?.includes('#')) throw refuse('address-has-fragment');
  });
}
