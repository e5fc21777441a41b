import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { WIRE_VERSION } from '../core/request-headers.ts';
import { configuration, invalidArgument } from '../protocols/token-endpoint.ts';
import { openEventSocket, type EventSocket, type EventSubscriber } from './event-socket.ts';

/** Realtime events of the application's users. */
export interface EventChannel {
  /** Hears of every event with this name, until the returned function is called. */
  subscribe(eventName: string, subscriber: EventSubscriber): () => void;
  /** Tells everybody who hears of events with this name. */
  publish(eventName: string, data: string, options?: CallOptions): Promise<unknown>;
}

/** A channel with one connection for each event name, however many listen. */
export function createEventChannel(client: IdentityClient): EventChannel {
  const sockets = new Map<string, EventSocket>();
  return {
    subscribe: (eventName, subscriber) => {
      if (typeof eventName !== 'string') {
        throw invalidArgument(client, '事件名称必须为字符串', 'The event name must be a text');
      }
      if (typeof subscriber.onMessage !== 'function') {
        throw invalidArgument(client, '回调必须为函数', 'The callback must be a function');
      }
      if (!client.options.socketUri) {
        throw configuration(client, '请配置 socketUri', 'socketUri is not configured');
      }
      const found = sockets.get(eventName);
      const socket = found ?? openEventSocket(client, eventName, () => sockets.delete(eventName));
      sockets.set(eventName, socket);
      return socket.add(subscriber);
    },
    publish: async (eventName, data, { signal } = {}) => {
      if (typeof eventName !== 'string') {
        throw invalidArgument(client, '事件名称必须为字符串', 'The event name must be a text');
      }
      if (typeof data !== 'string') {
        throw invalidArgument(client, '发布的数据必须为字符串', 'The data must be a text');
      }
      const source = `authing-js-sdk: ${WIRE_VERSION}`;
      const body = { eventType: eventName, source, eventData: data };
      return client.rest({ method: 'POST', path: '/api/v3/pub-userEvent', body, signal });
    },
  };
}
