import { createHash, timingSafeEqual } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { Role } from '../config/settings.ts';
import type { Readiness, ReadinessBoard } from '../readiness-board.ts';
import { isAtThisMachine } from './at-this-machine.ts';

export interface OperationsRoutesOptions {
  readonly readiness: ReadinessBoard;
  readonly metrics: Metrics;
  readonly roles: ReadonlySet<Role>;
  /** Token for programs on other machines; undefined to allow only this machine. */
  readonly token: string | undefined;
}

/** Maximum age of an answer to load balancers, so that public requests do not load the database. */
const HEALTH_AGE_MS = 1_000;

/**
 * Health and metrics routes. Liveness is public, and so is the health of a role, for load
 * balancers. Readiness and metrics are available to programs on this machine and to those with the
 * token; for all others, the routes do not exist.
 */
export function addOperationsRoutes(app: FastifyInstance, options: OperationsRoutesOptions): void {
  const { readiness, metrics, roles, token } = options;
  const readRecently = recently(() => readiness.read());
  app.get('/healthz', async () => ({ status: 'alive' }));
  for (const role of roles) {
    app.get(`/healthz/${role}`, async (_request, reply) => {
      const { ready } = await readRecently();
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
    });
  }
  app.get('/readyz', async (request, reply) => {
    requireOperator(request, token);
    const { ready, parts } = await readiness.read();
    const waitingFor = Object.keys(parts).filter((name) => parts[name] !== 'up');
    reply.code(ready ? 200 : 503);
    const found = { roles: [...roles], parts };
    return ready ? { status: 'ready', ...found } : { status: 'not ready', waitingFor, ...found };
  });
  app.get('/metrics', async (request, reply) => {
    requireOperator(request, token);
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}

function recently(read: () => Promise<Readiness>): () => Promise<Readiness> {
  let latest: { readonly answer: Promise<Readiness>; readonly atMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs > HEALTH_AGE_MS) {
      latest = { answer: read(), atMs: nowMs };
    }
    return latest.answer;
  };
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
