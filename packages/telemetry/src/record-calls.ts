import type { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

interface FetchedRequest {
  readonly origin: string;
  readonly method: string;
}

interface CallMessage {
  readonly request: object;
  readonly response?: { readonly statusCode?: number };
  readonly error?: unknown;
}

/**
 * Records calls to other servers, by `node:http` and `fetch`, within recorded work: method, host, and
 * status. Paths and headers are not recorded, because they can contain secrets.
 *
 * @param options.except host of the collector
 */
export function recordCalls(
  tracer: Tracer,
  options: { readonly contexts: AsyncLocalStorage<Context>; readonly except: string },
): Disposable {
  const spans = new WeakMap<object, Span>();
  const begin = (request: object, method: string, host: string): void => {
    const context = options.contexts.getStore();
    if (context === undefined || host === options.except) return;
    if (trace.getSpan(context)?.isRecording() !== true) return;
    const attributes = { 'http.request.method': method, 'server.address': host };
    const name = `${method} ${host}`;
    spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context));
  };
  const end = ({ request, response, error }: CallMessage): void => {
    const span = spans.get(request);
    if (span === undefined) return;
    spans.delete(request);
    const status = response?.statusCode;
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (error !== undefined) span.setAttribute('error.type', nameOf(error));
    if (error !== undefined || (status ?? 0) >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const beginHttp = ({ request }: { readonly request: ClientRequest }): void =>
    begin(request, request.method, String(request.getHeader('host') ?? request.host));
  const endHttp = (message: CallMessage & { readonly response?: IncomingMessage }): void =>
    end(message);
  const beginFetch = ({ request }: { readonly request: FetchedRequest }): void =>
    begin(request, request.method, new URL(request.origin).host);
  const listeners = [
    ['http.client.request.start', beginHttp],
    ['http.client.response.finish', endHttp],
    ['http.client.request.error', end],
    ['undici:request:create', beginFetch],
    ['undici:request:headers', end],
    ['undici:request:error', end],
  ] as const;
  for (const [name, listener] of listeners) subscribe(name, listener as Listener);
  return {
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) unsubscribe(name, listener as Listener);
    },
  };
}

type Listener = (message: unknown) => void;

const nameOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';
