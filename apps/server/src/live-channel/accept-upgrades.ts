import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { ViewerHandover } from '../gateway/broker/broker-messages.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import { HeldPlaces } from '../platform/growth-limits/held-places.ts';
import type { LiveIdentity } from './viewer-identity.ts';

export interface AcceptUpgradesOptions {
  readonly server: Server;
  /** The broker's hand-over socket. */
  readonly socketPath: string;
  /** Verifies the signed URL. @throws if it is not a valid URL of a signed-in user */
  readonly verify: (request: {
    readonly url: string;
    readonly host: string | undefined;
    readonly address: string;
  }) => Promise<LiveIdentity>;
  /** The client's address behind all proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The identity pool that issued the identities. */
  readonly identityPoolId: string;
  /** Paths whose upgrades other handlers accept, each with a listener of its own. */
  readonly otherPaths?: readonly string[];
  readonly onAccepted: (identity: LiveIdentity) => void;
  readonly logger: GatewayLogger;
  readonly limits?: LiveChannelLimits;
}

/** Limits of open connections; a browser uses one for all of its tabs. */
export interface LiveChannelLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly connectionsPerPerson: number;
  /** How long a browser may leave updates unread. */
  readonly unreadMs: number;
}

const PATH = '/mqtt';
const LINGER_MS = 1_000;
const LIMITS: LiveChannelLimits = {
  connections: 2_000,
  connectionsPerAddress: 500,
  connectionsPerPerson: 20,
  unreadMs: 20_000,
};

/**
 * Accepts WebSocket upgrades at `/mqtt`: authenticates the viewer, then pipes the bytes to the broker's thread.
 * Disposing ends the connections and does not affect other upgrades of the server.
 */
export function acceptUpgrades(options: AcceptUpgradesOptions): Disposable {
  const { server, logger, limits = LIMITS } = options;
  const open = new Set<Duplex>();
  const addresses = new HeldPlaces(limits.connectionsPerAddress);
  const people = new HeldPlaces(limits.connectionsPerPerson);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const path = pathOf(request);
    if (path !== PATH) {
      const { otherPaths = [] } = options;
      if (otherPaths.includes(path)) return;
      // No other handler accepts upgrades: an unanswered one would stay open until its timeout.
      if (server.listenerCount('upgrade') <= 1 + otherPaths.length)
        refuse(socket, 404, 'Not Found');
      return;
    }
    socket.on('error', () => socket.destroy());
    if (open.size >= limits.connections) return refuse(socket, 503, 'Service Unavailable');
    if (!offersMqtt(request)) return refuse(socket, 400, 'Bad Request');
    const address = options.addressOf(request);
    const leaveAddress = addresses.take(addressBucket(address));
    if (leaveAddress === undefined) return refuse(socket, 429, 'Too Many Requests');
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      leaveAddress();
    });
    options
      .verify({ url: request.url ?? '', host: request.headers.host, address })
      .then((identity) => {
        if (socket.destroyed) return;
        const leavePerson = people.take(identity.sub);
        if (leavePerson === undefined) return refuse(socket, 429, 'Too Many Requests');
        socket.once('close', leavePerson);
        handOver(options, { request, socket, head, identity });
      })
      .catch((error: unknown) => {
        const fault = error instanceof Error ? error.message : 'not valid';
        logger.info({ fault }, 'live channel connection rejected');
        refuse(socket, 403, 'Forbidden');
      });
  };
  server.on('upgrade', onUpgrade);
  return {
    [Symbol.dispose]() {
      server.off('upgrade', onUpgrade);
      for (const socket of open) socket.destroy();
    },
  };
}

interface Accepted {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly identity: LiveIdentity;
}

function handOver(
  options: AcceptUpgradesOptions,
  { request, socket, head, identity }: Accepted,
): void {
  options.onAccepted(identity);
  const handover: ViewerHandover = {
    identityId: identity.identityId,
    identityPoolId: options.identityPoolId,
    // Guests have no valid signed URL, and the policy rejects them as well.
    authenticated: true,
    expiresAtMs: identity.expiresAt.getTime(),
    // Without the query: the signature and session token have been verified and must not be passed on.
    url: PATH,
    headers: request.headers,
  };
  const inner = connect(options.socketPath);
  let unread: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(unread);
    inner.destroy();
    socket.destroy();
  };
  // While the browser does not read, the broker's data is not read either, so its end would not be noticed.
  inner.on('pause', () => {
    unread = setTimeout(end, (options.limits ?? LIMITS).unreadMs);
  });
  inner.on('resume', () => clearTimeout(unread));
  inner.once('connect', () => {
    inner.write(`${JSON.stringify(handover)}\n`);
    if (head.length > 0) inner.write(head);
    socket.pipe(inner);
    inner.pipe(socket);
  });
  inner.on('error', end);
  inner.once('close', end);
  socket.once('close', end);
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';

function offersMqtt({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').some((name) => name.trim() === 'mqtt');
}

function refuse(socket: Duplex, status: number, text: string): void {
  // Closing immediately could reset the connection before the client has read the reason. The delay is bounded for
  // clients that never close.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
