import type { FastifyInstance } from 'fastify';
import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import { traceOf } from '../tracing/trace-requests.ts';

const PATH_LIMIT_CHARACTERS = 200;

/**
 * Logs and measures each response. Query strings contain inputs, so only the path is logged.
 * Headers are not logged.
 */
export function logRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'page';
    const seconds = reply.elapsedTime / 1_000;
    metrics.requestSeconds.observe({ method: request.method, route, status }, seconds);
    const path = request.url.split('?', 1)[0]?.slice(0, PATH_LIMIT_CHARACTERS);
    const line = {
      requestId: request.id,
      ...traceOf(request),
      method: request.method,
      path,
      status,
      address: request.ip,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (status >= 500) logger.error(line, 'request failed');
    else logger.debug(line, 'request');
  });
}
