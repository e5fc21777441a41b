import type { FastifyInstance } from 'fastify';
import { overBudget } from '../call-budget/over-budget.ts';
import { HeldPlaces } from '../growth-limits/held-places.ts';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { HttpLimits } from './http-limits.ts';
import { onceClosed } from './once-closed.ts';

const RETRY_AFTER_MS = 1_000;

/**
 * Rejects requests while too many responses for the same address, or for all, are not fully read.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: Pick<HttpLimits, 'requests' | 'requestsPerAddress'>,
): void {
  const requests = new HeldPlaces(limits.requestsPerAddress);
  let open = 0;
  app.addHook('onRequest', async (request, reply) => {
    const giveBack = open < limits.requests ? requests.take(addressBucket(request.ip)) : undefined;
    if (giveBack === undefined) throw overBudget(RETRY_AFTER_MS);
    open += 1;
    onceClosed(reply.raw, () => {
      open -= 1;
      giveBack();
    });
  });
}
