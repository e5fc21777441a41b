import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';

const METHODS = 'GET, POST, DELETE, OPTIONS';
/** identity-sdk.md, section 2. */
const HEADERS = [
  'authorization',
  'content-type',
  'x-authing-app-id',
  'x-authing-app-tenant-id',
  'x-authing-lang',
  'x-authing-request-from',
  'x-authing-sdk-version',
  'x-authing-userpool-id',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/**
 * Answers preflights, and lets the pages of known origins read answers: those of the applications' addresses and of the
 * settings. They may send cookies, so an origin that nobody named is not allowed (Fetch standard, CORS protocol).
 */
export function allowOrigins(
  app: FastifyInstance,
  { applications, settings }: Pick<ProviderContext, 'applications' | 'settings'>,
): void {
  const own = new Set([settings.baseUrl, ...settings.allowedOrigins].map(originOf));
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    // The provider's answers are for pages of others: who may read them, CORS says.
    reply.header('cross-origin-resource-policy', 'cross-origin').header('vary', 'Origin');
    if (origin === undefined) return;
    if (!own.has(origin) && !(await applications.origins()).has(origin)) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true');
    if (request.method !== 'OPTIONS') return;
    reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS);
  });
  app.options('/*', async (_request, reply) => reply.code(204).send());
}

function originOf(url: string): string {
  return new URL(url).origin;
}
