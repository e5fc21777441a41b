import { createHash, timingSafeEqual } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { ReadinessBoard } from '../readiness-board.ts';
import { isAtThisMachine } from './at-this-machine.ts';

export interface OperationsRoutesOptions {
  readonly readiness: ReadinessBoard;
  readonly metrics: Metrics;
  /** Token for programs on other machines; undefined to allow only this machine. */
  readonly token: string | undefined;
}

/**
 * Health and metrics routes. Liveness is public. Readiness and metrics are available to programs on
 * this machine and to those with the token; for all others, the routes do not exist.
 */
export function addOperationsRoutes(app: FastifyInstance, options: OperationsRoutesOptions): void {
  const { readiness, metrics, token } = options;
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (request, reply) => {
    requireOperator(request, token);
    const { ready, parts } = await readiness.read();
    const waitingFor = Object.keys(parts).filter((name) => parts[name] !== 'up');
    reply.code(ready ? 200 : 503);
    return ready ? { status: 'ready', parts } : { status: 'not ready', waitingFor, parts };
  });
  app.get('/metrics', async (request, reply) => {
    requireOperator(request, token);
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}

function requireOperator(request: FastifyRequest, token: string | undefined): void {
  if (isAtThisMachine(request)) return;
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || given === undefined || !isSame(given, token)) {
    throw new PortalError('notFound');
  }
}

/** Compares digests of equal length, so that timing does not reveal the token's length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
