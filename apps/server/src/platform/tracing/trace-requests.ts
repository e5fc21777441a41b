import { AsyncResource } from 'node:async_hooks';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TracedWork } from './telemetry-package.ts';
import { workChannel } from './traced.ts';

interface TracedRequest {
  readonly work: TracedWork;
  readonly scope: AsyncResource;
}

const requests = new WeakMap<FastifyRequest['raw'], TracedRequest>();

/** The trace of a request, for its log lines; empty where none is exported. */
export function traceOf({ raw }: FastifyRequest): { readonly traceId?: string } {
  const traceId = requests.get(raw)?.work.traceId;
  return traceId === undefined ? {} : { traceId };
}

/**
 * Announces requests for traces, and adds the trace to their log lines. A caller continues its own
 * trace only as a trusted proxy: others could otherwise choose what is recorded.
 */
export function traceRequests(app: FastifyInstance, trustedProxies: readonly string[]): void {
  if (!workChannel.hasSubscribers) return;
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  app.addHook('onRequest', (request, reply, done) => {
    const work = workOf(request, isTrusted(request.socket.remoteAddress ?? '', 0));
    workChannel.start.runStores(work, () => {
      requests.set(request.raw, { work, scope: new AsyncResource('request') });
      request.log = request.log.child({ traceId: work.traceId });
      reply.log = request.log;
      done();
    });
  });
  // The body arrives in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const found = requests.get(request.raw);
    if (found === undefined) done();
    else found.scope.runInAsyncScope(done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const found = requests.get(request.raw);
    if (found === undefined) return;
    const { work } = found;
    const route = request.routeOptions.url;
    work.name = `${request.method} ${route ?? 'page'}`;
    if (route !== undefined) work.attributes['http.route'] = route;
    work.attributes['http.response.status_code'] = reply.statusCode;
    work.hasFailed = reply.statusCode >= 500;
    workChannel.asyncEnd.publish(work);
  });
}

/** Without the path and the query, which contain inputs. */
function workOf({ id, method, headers }: FastifyRequest, isTrusted: boolean): TracedWork {
  const { traceparent } = headers;
  return {
    kind: 'server',
    name: method,
    attributes: { 'http.request.method': method, 'deviceportal.request_id': id },
    ...(isTrusted && typeof traceparent === 'string' && { parent: traceparent }),
  };
}
