import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { portalErrorOfStatus, toErrorAnswer } from './error-answer.ts';

/** Paths of APIs, where an unknown URL is an error and not a page. */
const PROGRAM_PATHS =
  /^\/(api|identity|idp|oauth|scim|mqtt|enrol|outbox|assets|healthz|readyz|metrics)(\/|$)/;

/**
 * Serves the built portal. Files with a hash in their name are cached for a year. Pages are
 * revalidated, because an old page would refer to deleted files. All other URLs are screens, which
 * share one page.
 */
export async function servePortal(app: FastifyInstance, portalDir: string): Promise<void> {
  const isBuilt = existsSync(join(portalDir, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: portalDir,
      preCompressed: true,
      cacheControl: false,
      index: 'index.html',
      setHeaders(reply, path) {
        const isHashed = path.includes('/assets/');
        const value = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
        reply.header('cache-control', value);
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageRequest(request)) {
      return reply.code(404).send(toErrorAnswer(portalErrorOfStatus(404), 404, request.id));
    }
    if (!isBuilt) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The portal is not built yet. Run npm start.');
    }
    return reply.sendFile('index.html');
  });
}

function isPageRequest(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = request.url.split('?', 1)[0] ?? '';
  const looksLikeFile = /\.[a-z0-9]{1,5}$/i.test(path) && !path.startsWith('/documents/');
  return isRead && !PROGRAM_PATHS.test(path) && !looksLikeFile;
}
