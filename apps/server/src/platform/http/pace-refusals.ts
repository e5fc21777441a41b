import type { IncomingMessage } from 'node:http';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RefusalPause } from '../refusal-pause.ts';
import { TokenBuckets } from '../token-buckets.ts';
import type { HttpLimits } from './http-limits.ts';
import { RequestWeights } from './request-weights.ts';

const BYTES_PER_TOKEN = 16 * 1024;

/** Large requests cost more, because they take longer to read. */
const costOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_TOKEN);

/** Delays further rejections of an address that has been rejected many times. */
export function paceRefusals(
  app: FastifyInstance,
  limits: Pick<HttpLimits, 'refusals' | 'refusalPause'>,
): void {
  const buckets = new TokenBuckets(limits.refusals);
  const pause = new RefusalPause(limits.refusalPause);
  const weights = new RequestWeights();
  /** Cost charged for rejected requests. */
  const paid = new WeakMap<IncomingMessage, number>();
  const answer = ({ request, raw }: FastifyReply, tell: () => void): void => {
    if (raw.statusCode < 400 || raw.statusCode >= 500) return tell();
    const cost = 1 + costOf(weights.of(request.raw));
    paid.set(request.raw, cost);
    if (buckets.of(addressBucket(request.ip)).owe(cost) > 0) pause.tell(tell);
    else tell();
  };
  app.addHook('onRequest', (request, reply, done) => {
    const address = addressBucket(request.ip);
    // Bytes after the response are charged, too.
    weights.weigh(request.raw, reply.raw, (bytes) => {
      const already = paid.get(request.raw);
      if (already !== undefined) buckets.of(address).owe(1 + costOf(bytes) - already);
    });
    answerWhenHijacked(reply, answer);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    answer(reply, () => done(null, payload));
  });
}

/** Hooks do not see hijacked replies, so their end is delayed instead. */
function answerWhenHijacked(
  reply: FastifyReply,
  answer: (reply: FastifyReply, tell: () => void) => void,
): void {
  const { raw } = reply;
  const hijack = reply.hijack.bind(reply);
  reply.hijack = () => {
    const end = raw.end.bind(raw) as (...chunk: readonly unknown[]) => typeof raw;
    raw.end = ((...chunk: readonly unknown[]) => {
      answer(reply, () => end(...chunk));
      return raw;
    }) as typeof raw.end;
    return hijack();
  };
}
