import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../config/is-loopback.ts';

/** Origins whose pages can read responses: these, or any on a loopback address. */
export type AllowedOrigins = readonly string[] | 'loopback';

interface CrossOriginOptions {
  readonly origins: AllowedOrigins;
  /** Paths with POST requests that browsers ask about first. */
  readonly paths: readonly string[];
  /** Headers that such a request can have. */
  readonly requestHeaders: readonly string[];
}

/** Chromium keeps the answer for at most two hours. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * Lets pages of other origins read the responses of a scope, by the CORS protocol (Fetch Standard,
 * section 3.3), without cookies.
 */
export function allowOrigins(scope: FastifyInstance, options: CrossOriginOptions): void {
  scope.addHook('onRequest', async (request, reply) => {
    // Also without the header: caches must not give one origin the response for another one.
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (isAllowedOrigin(options.origins, origin)) {
      reply.header('access-control-allow-origin', origin);
    }
  });
  const answerPreflight = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isAllowedOrigin(options.origins, request.headers.origin)) return reply.code(403).send();
    return reply
      .code(204)
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', options.requestHeaders.join(', '))
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
      .send();
  };
  for (const path of options.paths) scope.options(path, answerPreflight);
}

/** @param origin the header of a request, which is `null` for pages without an origin */
function isAllowedOrigin(origins: AllowedOrigins, origin: string | undefined): origin is string {
  if (origin === undefined) return false;
  return origins === 'loopback' ? isLoopbackOrigin(origin) : origins.includes(origin);
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: canonical } = new URL(origin);
  return canonical === origin && /^https?:$/.test(protocol) && isLoopback(hostname);
}
