import type { FastifyRequest } from 'fastify';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** Headers of proxies, through which a remote client has a local connection. */
const forwardedBy = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether the client is on this machine, not behind a proxy, and not a page with another host name.
 */
export function isAtThisMachine({
  socket,
  headers,
}: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  return (
    loopback.has(socket.remoteAddress ?? '') &&
    // A foreign name that resolves to this machine (DNS rebinding) is another origin for the
    // browser.
    loopbackHost.test(headers.host ?? '') &&
    forwardedBy.every((name) => headers[name] === undefined)
  );
}
