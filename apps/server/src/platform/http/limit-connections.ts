import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { HeldPlaces } from '../growth-limits/held-places.ts';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { HttpLimits } from './http-limits.ts';

/**
 * Ends connections beyond the limit of their address before reading from them. Clients behind a
 * trusted proxy share its address, so their requests are counted instead.
 */
export function limitConnections(
  server: Server,
  limits: Pick<HttpLimits, 'connections' | 'connectionsPerAddress'>,
  trustedProxies: readonly string[],
): void {
  const isProxy = proxyAddr.compile([...trustedProxies]);
  const connections = new HeldPlaces(limits.connectionsPerAddress);
  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const giveBack = connections.take(addressBucket(remoteAddress));
    if (giveBack === undefined) socket.destroy();
    else socket.once('close', giveBack);
  });
}
