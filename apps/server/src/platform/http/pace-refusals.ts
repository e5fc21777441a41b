import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RefusalPause } from '../refusal-pause.ts';
import { TokenBuckets } from '../token-buckets.ts';
import type { HttpLimits } from './http-limits.ts';

const BYTES_PER_TOKEN = 16 * 1024;

/** Large requests cost more to read before they are refused. */
const costOf = ({ raw, headers }: FastifyRequest): number =>
  1 +
  Math.floor(((raw.url?.length ?? 0) + Number(headers['content-length'] ?? 0)) / BYTES_PER_TOKEN);

/** Tells an address that has been refused many times each further refusal a moment later. */
export function paceRefusals(
  app: FastifyInstance,
  limits: Pick<HttpLimits, 'refusals' | 'refusalPause'>,
): void {
  const buckets = new TokenBuckets(limits.refusals);
  const pause = new RefusalPause(limits.refusalPause);
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
    const isPaced = isRefused && buckets.of(addressBucket(request.ip)).owe(costOf(request)) > 0;
    if (isPaced) pause.tell(() => done(null, payload));
    else done(null, payload);
  });
}
