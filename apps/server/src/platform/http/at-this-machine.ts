import type { FastifyRequest } from 'fastify';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** What proxies add: then the connection is local and the person is not. */
const forwardedBy = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether who asks sits at this machine: not whom a proxy passes on, nor a page of another name. */
export function isAtThisMachine({
  socket,
  headers,
}: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  return (
    loopback.has(socket.remoteAddress ?? '') &&
    // A name elsewhere that points to this machine (DNS rebinding) is another origin for the browser.
    loopbackHost.test(headers.host ?? '') &&
    forwardedBy.every((name) => headers[name] === undefined)
  );
}
