import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { limitBegunSignIns } from '../hosted-page/limit-begun-sign-ins.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { OidcProviders } from './create-oidc-providers.ts';
import type { OidcProtocol } from './oidc-configuration.ts';
import { hashPlainChallenge } from './hash-plain-challenge.ts';
import { registerOauthUserRoute } from './register-oauth-user-route.ts';
import { registerValidateTokenRoute } from './register-validate-token-route.ts';

/**
 * Calls that store data for unauthenticated callers; oidc-provider matches paths
 * case-insensitively.
 */
const BEGINS = /^(?:auth|session\/end)(?:\/|$)/i;

/**
 * Headers of responses of oidc-provider itself, such as the form_post page: its script is allowed
 * by hash, and its form target is the application.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Applications that open a window hear from it.
  'cross-origin-opener-policy': 'unsafe-none',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Hands everything below `/oidc` and `/oauth` to oidc-provider, and answers what it does not. */
export function registerOidcRoutes(
  app: FastifyInstance,
  context: ProviderContext,
  providers: OidcProviders,
): void {
  registerValidateTokenRoute(app, context, providers);
  registerOauthUserRoute(app, context, providers);
  mount(app, context, { protocol: 'oidc', providers });
  mount(app, context, { protocol: 'oauth', providers });
}

function mount(
  app: FastifyInstance,
  context: ProviderContext,
  { protocol, providers }: { readonly protocol: OidcProtocol; readonly providers: OidcProviders },
): void {
  const base = new URL(`${context.settings.baseUrl}/${protocol}`);
  const limit = limitBegunSignIns(context);
  void app.register(async (scope) => {
    // oidc-provider reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({
      method: ['GET', 'POST'],
      url: `/${protocol}/*`,
      preHandler: async (request, reply) => {
        const { '*': path } = request.params as { readonly '*': string };
        return BEGINS.test(path) ? limit(request, reply) : undefined;
      },
      handler: async (request, reply) => {
        const { raw } = request;
        const answer = await providers.answer(protocol);
        for (const [name, value] of Object.entries({ ...HEADERS, ...reply.getHeaders() })) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        // Keys and discovery are public; other responses of oidc-provider must not allow all
        // origins.
        if (!request.url.includes('/.well-known/')) {
          reply.raw.setHeader('access-control-expose-headers', 'WWW-Authenticate');
        }
        reply.hijack();
        await answer(asPublished(raw, base), reply.raw);
      },
    });
  });
}

/**
 * The request with the published URL, regardless of proxies. `Origin` is omitted, because CORS is
 * handled for all calls in wire/allow-origins.ts.
 */
function asPublished(raw: IncomingMessage & { originalUrl?: string }, base: URL): IncomingMessage {
  raw.originalUrl = raw.url ?? '/';
  const at = raw.originalUrl.indexOf(`${base.pathname}/`);
  raw.url = at === 0 ? raw.originalUrl.slice(base.pathname.length) : raw.originalUrl;
  if (raw.url.startsWith('/auth?')) {
    raw.url = hashPlainChallenge(raw.url);
    raw.originalUrl = `${base.pathname}${raw.url}`;
  }
  raw.headers.host = base.host;
  raw.headers['x-forwarded-host'] = base.host;
  raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
  delete raw.headers.origin;
  return raw;
}
