import type { FastifyInstance } from 'fastify';
import { API_PATH } from '@deviceportal/contract/constants';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * Only batches of the product API have longer URLs. A link to a report contains all that its reader
 * can see.
 */
const MOST_ADDRESS_CHARACTERS = 128 * 1024;
const MOST_HEADER_CHARACTERS = 64 * 1024;

/**
 * Rejects long URLs and headers, because sign-ins store parts of them for unauthenticated clients.
 */
export function limitHeads(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders, url = '' } }) => {
    const isLong = url.length > MOST_ADDRESS_CHARACTERS && !url.startsWith(`${API_PATH}/`);
    const headers = rawHeaders.reduce((sum, { length }) => sum + length, 0);
    if (!isLong && headers <= MOST_HEADER_CHARACTERS) return;
    throw refuse('head-too-long', { httpStatus: isLong ? 414 : 431 });
  });
}
