import type { IncomingMessage } from 'node:http';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RefusalPause } from '../refusal-pause.ts';
import { TokenBuckets } from '../token-buckets.ts';
import type { HttpLimits } from './http-limits.ts';
import { RequestWeights } from './request-weights.ts';

const BYTES_PER_TOKEN = 16 * 1024;

/** Large requests cost more to read. */
const costOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_TOKEN);

/** Tells an address that has been refused many times each further refusal a moment later. */
export function paceRefusals(
  app: FastifyInstance,
  limits: Pick<HttpLimits, 'refusals' | 'refusalPause'>,
): void {
  const buckets = new TokenBuckets(limits.refusals);
  const pause = new RefusalPause(limits.refusalPause);
  const weights = new RequestWeights();
  /** Of requests that are refused. */
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
    // What comes after the answer is read, too.
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

/** No hook sees the answer of a hijacked reply: its end waits instead. */
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
