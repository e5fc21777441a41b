import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { ReadinessBoard } from '../readiness-board.ts';

/** What operators and their tools ask: alive, ready, figures. */
export function addOperationsRoutes(
  app: FastifyInstance,
  readiness: ReadinessBoard,
  metrics: Metrics,
): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'alive' };
  });
  app.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await readiness.read();
    const waitingFor = Object.keys(parts).filter((name) => parts[name] !== 'up');
    reply.header('cache-control', 'no-store').code(ready ? 200 : 503);
    return ready ? { status: 'ready', parts } : { status: 'not ready', waitingFor, parts };
  });
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
