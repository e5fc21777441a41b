import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { EventListener } from './event-listener.ts';
import { findSessionsInForce } from './event-store.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

const MAX_PER_PERSON = 50;
const MAX_ALL = 5_000;
const BEAT_MS = 5_000;
const LINGER_MS = 1_000;
/** Clients send nothing. */
const MAX_PAYLOAD_BYTES = 1_024;

const querySchema = z.object({
  code: z.string().min(1).max(128),
  token: z.string().min(1).max(8_192),
});

export interface AcceptSubscribersOptions {
  readonly server: Server;
  /** Of the upgrades that are for us. */
  readonly path: string;
  readonly context: ProviderContext;
  readonly subscriptions: Subscriptions;
  readonly listener: EventListener;
}

/**
 * Takes WebSockets at `/events/v1/authentication/sub?code={name}&token={token}` (identity-sdk.md, section 13). A socket
 * lives as long as the sign-in of its token. Other upgrades of the server are left alone.
 */
export function acceptSubscribers(options: AcceptSubscribersOptions): Disposable {
  const { server, path, context, subscriptions } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES });
  const waiting = new Set<Duplex>();
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = URL.parse(request.url ?? '', 'http://localhost');
    if (url?.pathname !== path) return;
    socket.on('error', () => socket.destroy());
    waiting.add(socket);
    authenticate(options, url)
      .then((answer) => {
        waiting.delete(socket);
        if (typeof answer === 'number') return refuse(socket, answer);
        if (socket.destroyed) return undefined;
        sockets.handleUpgrade(request, socket, head, (accepted) =>
          serve(options, { ...answer, socket: accepted }),
        );
        return undefined;
      })
      .catch((error: unknown) => {
        waiting.delete(socket);
        context.onInternalError(error, 'subscription to an event');
        refuse(socket, 500);
      });
  };
  server.on('upgrade', onUpgrade);
  const beat = setInterval(() => {
    endOver(context, subscriptions).catch((error: unknown) =>
      context.onInternalError(error, 'check of subscriptions'),
    );
  }, BEAT_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(beat);
      server.off('upgrade', onUpgrade);
      for (const socket of waiting) socket.destroy();
      for (const { socket } of subscriptions.all()) socket.terminate();
      sockets.close();
    },
  };
}

type Accepted = Omit<Subscription, 'socket'>;

/** @returns whose socket it will be, or the HTTP status of the refusal */
async function authenticate(
  { context, subscriptions, listener }: AcceptSubscribersOptions,
  url: URL,
): Promise<Accepted | number> {
  const query = querySchema.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success) return 400;
  const token = await context.tokens.verify(query.data.token);
  const user = token && (await context.users.find(token.userId));
  if (token === undefined || user === undefined) return 401;
  if (user.blocked || user.status !== 'Activated') return 403;
  if (subscriptions.countOf(user.id) >= MAX_PER_PERSON) return 429;
  if (subscriptions.all().length >= MAX_ALL) return 503;
  // From now on, the subscriber receives all published events.
  await listener.start();
  return { userId: user.id, sessionId: token.session.id, name: query.data.code };
}

function serve(
  { context, subscriptions, listener }: AcceptSubscribersOptions,
  subscription: Subscription,
): void {
  const { socket } = subscription;
  subscriptions.add(subscription);
  alive.add(socket);
  socket.on('pong', () => alive.add(socket));
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    subscriptions.remove(subscription);
    if (subscriptions.isEmpty) void listener.stop();
  });
  // The last subscriber may have gone in the meantime.
  listener.start().catch((error: unknown) => {
    context.onInternalError(error, 'listening for events');
    socket.terminate();
  });
}

/** Sockets that answered the last ping. */
const alive = new WeakSet<WebSocket>();

/** Ends sockets whose session has ended and unresponsive ones, and pings the others. */
async function endOver(context: ProviderContext, subscriptions: Subscriptions): Promise<void> {
  const open = subscriptions.all();
  if (open.length === 0) return;
  const sessionIds = [...new Set(open.map(({ sessionId }) => sessionId))];
  const now = new Date(context.clock.now());
  const inForce = await findSessionsInForce(context.db, sessionIds, now);
  for (const { socket, sessionId } of open) {
    if (!inForce.has(sessionId)) socket.close(4401, 'the sign-in has ended');
    else if (!alive.delete(socket)) socket.terminate();
    else socket.ping();
  }
}

function refuse(socket: Duplex, status: number): void {
  // Closing now could reset the connection before the client has read why; a client that never closes keeps no place.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
