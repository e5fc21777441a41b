import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';

/** Refuses requests whose Host header is none (RFC 9112, section 3.2): libraries make addresses of it. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: { host } }) => {
    if (host === undefined || URL.canParse(`http://${host}`)) return;
    throw new PortalError('invalidParameters', { message: 'The Host header names no host.' });
  });
}
