import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';

const METHODS = ['GET', 'POST', 'DELETE', 'OPTIONS'];
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
];
const PREFLIGHT_SECONDS = 600;

/**
 * Handles CORS preflights, and allows the origins of the applications' URIs and of the settings to
 * read responses. They can send cookies, so other origins are not allowed (Fetch standard, CORS
 * protocol).
 */
export async function allowOrigins(
  app: FastifyInstance,
  { applications, settings }: Pick<ProviderContext, 'applications' | 'settings'>,
): Promise<void> {
  const own = new Set([settings.baseUrl, ...settings.allowedOrigins].map(originOf));
  // Responses are for pages of other origins; CORS restricts which can read them.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });
  await app.register(cors, {
    origin: async (origin: string | undefined) =>
      origin !== undefined && (own.has(origin) || (await applications.origins()).has(origin)),
    credentials: true,
    methods: METHODS,
    allowedHeaders: HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
  // A preflight of any other origin is answered too, with nothing that allows it.
  app.options('/*', async (_request, reply) => reply.code(204).send());
}

function originOf(url: string): string {
  return new URL(url).origin;
}
