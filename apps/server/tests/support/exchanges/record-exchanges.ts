import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

const REQUEST_START = 'http.server.request.start';
/** Headers of a single connection. */
const HOP_BY_HOP = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/** Records every request that the server on this port of this process receives during the work. */
export async function recordExchanges(
  port: number,
  work: () => Promise<void>,
): Promise<readonly Exchange[]> {
  const seen: { readonly request: IncomingMessage; readonly chunks: Buffer[] }[] = [];
  const listener = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.socket.localPort === port) seen.push({ request, chunks: chunksOf(request) });
  };
  subscribe(REQUEST_START, listener);
  try {
    await work();
  } finally {
    unsubscribe(REQUEST_START, listener);
  }
  return seen.map(({ request, chunks }) => ({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: headersOf(request),
    body: Buffer.concat(chunks),
  }));
}

/** Collects the body as it arrives; the server reads it as usual. */
function chunksOf(request: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk));
    return push(chunk, encoding);
  };
  return chunks;
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, value]) => [name, [value].flat().join(', ')]),
  );
