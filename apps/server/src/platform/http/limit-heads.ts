import type { FastifyInstance } from 'fastify';
import { API_PATH } from '@deviceportal/contract/constants';
import { refuse } from '@deviceportal/contract/refuse';

/** Only batches of the product API have longer addresses; a link to a report names all that its reader may see. */
const MOST_ADDRESS_CHARACTERS = 128 * 1024;
const MOST_HEADER_CHARACTERS = 64 * 1024;

/** Refuses long addresses and headers: sign-ins keep parts of them, for anybody who begins one. */
export function limitHeads(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders, url = '' } }) => {
    const isLong = url.length > MOST_ADDRESS_CHARACTERS && !url.startsWith(`${API_PATH}/`);
    const headers = rawHeaders.reduce((sum, { length }) => sum + length, 0);
    if (!isLong && headers <= MOST_HEADER_CHARACTERS) return;
    throw refuse('head-too-long', { httpStatus: isLong ? 414 : 431 });
  });
}
