import type { FastifyInstance } from 'fastify';

/** Nothing from elsewhere, nothing inline: fonts, styles and workers are files of the portal. */
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

/**
 * Sets the headers that a route has not set itself.
 * @param connectSources hosts of an external identity provider that the browser calls
 */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: { readonly connectSources: readonly string[]; readonly https: boolean },
): void {
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(options.connectSources),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // Answers are about this moment and this person; what may be kept says so itself.
    'cache-control': 'no-store',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
}
