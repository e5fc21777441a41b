import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * The client's address of a request that Fastify does not see, an upgrade, found the way that Fastify finds
 * `request.ip`: the nearest address that is no trusted proxy.
 * @param trusted whether every proxy is believed, or the addresses and networks of those that are
 */
export function clientAddressFinder(
  trusted: boolean | readonly string[],
): (request: IncomingMessage) => string {
  const trusts = typeof trusted === 'boolean' ? () => trusted : proxyAddr.compile([...trusted]);
  // A socket that is closed already has no address, and nobody waits for its answer.
  return (request) =>
    request.socket.remoteAddress === undefined ? '' : proxyAddr(request, trusts);
}
