import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Allows nothing external and nothing inline. Fonts, styles, and workers are files of the portal.
 */
function contentSecurityPolicy(connectSources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...connectSources].join(' '),
    "img-src 'self' data: blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every response, including responses without a route (malformed HTTP). */
export const bareHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // No resource here is for pages of other origins. Key sets and the agent are not fetched by
  // browsers.
  'cross-origin-resource-policy': 'same-origin',
  'x-permitted-cross-domain-policies': 'none',
  // Responses depend on time and user. Cacheable ones set their own header.
  'cache-control': 'no-store',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), bluetooth=()',
} as const;

export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * @param connectSources origins that the browser calls: an external identity provider, the
 * operator's map tiles
 */
export function securityHeadersOf(options: {
  readonly connectSources: readonly string[];
  /** Whether pages open windows of other providers and receive their messages. */
  readonly opensWindows: boolean;
  readonly https: boolean;
}): SecurityHeaders {
  return {
    ...bareHeaders,
    ...(options.opensWindows && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
    'content-security-policy': contentSecurityPolicy(options.connectSources),
    ...(options.https && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** Sets the headers that a route has not set. */
export function addSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onRequest', async (_request, reply) => setWhenHijacked(reply, headers));
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
}

/** Hooks do not see hijacked replies. */
function setWhenHijacked(reply: FastifyReply, headers: SecurityHeaders): void {
  const { raw } = reply;
  const hijack = reply.hijack.bind(reply);
  reply.hijack = () => {
    for (const [name, value] of Object.entries(headers)) {
      if (!raw.headersSent && !raw.hasHeader(name)) raw.setHeader(name, value);
    }
    return hijack();
  };
}
