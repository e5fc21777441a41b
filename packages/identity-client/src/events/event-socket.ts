import { urlOf } from '../core/base-url.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import type { IdentityError } from '../core/identity-error.ts';
import { localError } from '../core/report.ts';

/** Delay before a reconnection attempt. */
const RECONNECT_MS = 2_000;

export interface EventSubscriber {
  readonly onMessage: (data: string) => void;
  /** Called once, when reconnecting has failed for good. */
  readonly onError?: ((error: IdentityError) => void) | undefined;
}

/** A connection that several subscribers share. */
export interface EventSocket {
  /** @returns a function that ends this subscription; ending the last one closes the connection */
  add(subscriber: EventSubscriber): () => void;
}

/** Opens the connection of one event name, and reconnects when it is lost. */
export function openEventSocket(
  client: IdentityClient,
  eventName: string,
  onEnd: () => void,
): EventSocket {
  const subscribers = new Set<EventSubscriber>();
  const { clock } = client;
  let ended = false;
  let retries = 0;
  let timer: unknown;
  let socket: WebSocket | undefined;

  const end = (): void => {
    ended = true;
    clock.clearTimeout(timer);
    onEnd();
    socket?.close();
  };
  const lose = (openedAt: number | undefined): void => {
    if (ended) return;
    // Reset the retry count only after a connection that lasted, so that retries end when the
    // server drops every connection.
    if (openedAt !== undefined && clock.now() - openedAt >= RECONNECT_MS) retries = 0;
    retries += 1;
    if (retries <= client.options.retryTimes) {
      timer = clock.setTimeout(connect, RECONNECT_MS);
      return;
    }
    end();
    for (const { onError } of subscribers) onError?.(socketLost(client));
  };
  const connect = (): void => {
    let isLost = false;
    let openedAt: number | undefined;
    const loseOnce = (): void => {
      if (!isLost) lose(openedAt);
      isLost = true;
    };
    const current = new (client.options.WebSocket ?? WebSocket)(socketUrl(client, eventName));
    socket = current;
    current.addEventListener('open', () => void (openedAt = clock.now()));
    current.addEventListener('error', loseOnce);
    current.addEventListener('close', loseOnce);
    current.addEventListener('message', ({ data }) => {
      if (ended) return;
      for (const { onMessage } of subscribers) onMessage(String(data));
    });
  };
  connect();
  return {
    add: (subscriber) => {
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0 && !ended) end();
      };
    },
  };
}

/**
 * The token is part of the URL, as the contract requires, because browsers cannot set headers on a
 * WebSocket.
 */
function socketUrl(client: IdentityClient, eventName: string): string {
  const base = client.options.socketUri.replace(/\/$/, '');
  const query = { code: eventName, token: client.session.getToken() };
  return urlOf(base, '/events/v1/authentication/sub', query);
}

function socketLost(client: IdentityClient): IdentityError {
  const sentence = {
    zh: 'socket 服务器连接超时',
    en: 'The connection to the event server timed out',
  };
  return localError(client, 'SOCKET_LOST', sentence);
}
