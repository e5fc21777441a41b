import type { Clock } from '../../src/core/clock.ts';
import { parseRequest } from './parse-request.ts';
import { providerKeys } from './provider-keys.ts';
import type { RecordedRequest, Reply, Rule, VectorCase } from './vector-case.ts';

export const HOST = 'http://provider.example';

/** A provider that replays the recorded responses and records the requests. */
export interface RecordedProvider {
  readonly requests: RecordedRequest[];
  readonly fetch: typeof globalThis.fetch;
}

export function createRecordedProvider(entry: VectorCase, clock: Clock): RecordedProvider {
  const requests: RecordedRequest[] = [];
  const rules = (entry.rules ?? []).map((rule) => ({ rule, left: rule.times || Infinity }));
  const answer = (request: RecordedRequest): Reply => {
    const found = rules.find(({ rule, left }) => left > 0 && fits(rule, request));
    if (found) {
      found.left -= 1;
      return found.rule;
    }
    return recordedReply(entry, request);
  };
  return {
    requests,
    fetch: async (input, init) => {
      const request = await parseRequest(new Request(input, init));
      requests.push(request);
      const reply = answer(request);
      if (reply.delayMs !== undefined) await wait(clock, reply.delayMs, init?.signal);
      if (reply.drop) throw new TypeError('fetch failed');
      return toResponse(reply);
    },
  };
}

function fits(rule: Rule, { method, path, body }: RecordedRequest): boolean {
  if (rule.gql !== undefined) return path === '/graphql/v2' && rootField(body) === rule.gql;
  const pattern = /^\/(.*)\/$/.exec(rule.path ?? '')?.[1];
  const isPath = rule.path === path || (pattern?.startsWith('^') && new RegExp(pattern).test(path));
  return Boolean(isPath) && (rule.method === undefined || rule.method === method);
}

function recordedReply(entry: VectorCase, request: RecordedRequest): Reply {
  const isSame = (other: RecordedRequest | null): boolean =>
    other?.path === request.path &&
    other.method === request.method &&
    rootField(other.body) === rootField(request.body);
  const found = entry.exchanges?.findLast((exchange) => isSame(exchange.request));
  if (found) return found.reply;
  if (isSame(entry.expectedRequest) && entry.reply) return entry.reply;
  if (request.path === '/api/v2/.well-known') {
    return { json: { code: 200, data: { publicKey: '{{RSAPUB}}' } } };
  }
  return entry.reply ?? { status: 404, text: 'not recorded' };
}

function rootField(body: RecordedRequest['body']): string | undefined {
  return (body as { readonly rootFields?: readonly string[] } | null)?.rootFields?.[0];
}

function toResponse(reply: Reply): Response {
  const { status = 200, json, text, html } = reply;
  const body = json === undefined ? (text ?? html ?? '') : JSON.stringify(json);
  const filled = body
    .replaceAll('{{HOST}}', HOST)
    .replaceAll('"{{RSAPUB}}"', JSON.stringify(providerKeys.rsaPublic));
  const headers = {
    ...(html === undefined ? {} : { 'content-type': 'text/html' }),
    ...reply.headers,
  };
  return new Response(filled, { status, headers });
}

function wait(clock: Clock, milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    clock.setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
