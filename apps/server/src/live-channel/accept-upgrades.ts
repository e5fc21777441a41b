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
  /** Checks the signed URL. @throws for everything that is no valid URL of a person who is signed in */
  readonly verify: (request: {
    readonly url: string;
    readonly host: string | undefined;
    readonly address: string;
  }) => Promise<LiveIdentity>;
  /** The client's address, whatever proxies are before us. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The pool that gave the identities. */
  readonly identityPoolId: string;
  readonly onAccepted: (identity: LiveIdentity) => void;
  readonly logger: GatewayLogger;
  readonly limits?: LiveChannelLimits;
}

/** Open connections at most; a browser has one for all of its tabs. */
export interface LiveChannelLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly connectionsPerPerson: number;
  /** How long a browser may take nothing of what it is told. */
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
 * Takes WebSocket upgrades at `/mqtt`: checks who it is here, then hands the bytes to the broker's thread.
 * Disposing ends the connections and leaves other upgrades of the server alone.
 */
export function acceptUpgrades(options: AcceptUpgradesOptions): Disposable {
  const { server, logger, limits = LIMITS } = options;
  const open = new Set<Duplex>();
  const addresses = new HeldPlaces(limits.connectionsPerAddress);
  const people = new HeldPlaces(limits.connectionsPerPerson);
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (pathOf(request) !== PATH) {
      // Nobody else takes upgrades: an unanswered one would hang until its time-out.
      if (server.listenerCount('upgrade') === 1) refuse(socket, 404, 'Not Found');
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
        logger.info({ fault }, 'a live channel was refused');
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
    // Guests have no valid signed URL; the policy says so once more.
    authenticated: true,
    expiresAtMs: identity.expiresAt.getTime(),
    // Without its query: signature and session token are checked and have no business over there.
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
  // While the browser reads nothing, nothing is read of the broker either: its end would not be seen.
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
  // Closing now could reset the connection before the client has read why; a client that never closes keeps no place.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
