import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * The client address of a request outside Fastify, such as an upgrade, determined like Fastify's
 * `request.ip`: the nearest address that is not a trusted proxy.
 * @param trusted whether all proxies are trusted, or the addresses and networks of trusted proxies
 */
export function clientAddressFinder(
  trusted: boolean | readonly string[],
): (request: IncomingMessage) => string {
  const trusts = typeof trusted === 'boolean' ? () => trusted : proxyAddr.compile([...trusted]);
  // A closed socket has no address; its response is not used.
  return (request) =>
    request.socket.remoteAddress === undefined ? '' : proxyAddr(request, trusts);
}
