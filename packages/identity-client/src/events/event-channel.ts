import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { WIRE_VERSION } from '../core/request-headers.ts';
import { configuration, invalidArgument } from '../protocols/token-endpoint.ts';
import { openEventSocket, type EventSocket, type EventSubscriber } from './event-socket.ts';

/** Real-time events of the application's users. */
export interface EventChannel {
  /** Subscribes to all events with this name. Returns a function that unsubscribes. */
  subscribe(eventName: string, subscriber: EventSubscriber): () => void;
  /** Publishes an event to all subscribers of this name. */
  publish(eventName: string, data: string, options?: CallOptions): Promise<unknown>;
}

/** Creates a channel with one connection per event name, shared by all its subscribers. */
export function createEventChannel(client: IdentityClient): EventChannel {
  const sockets = new Map<string, EventSocket>();
  return {
    subscribe: (eventName, subscriber) => {
      if (typeof eventName !== 'string') {
        throw invalidArgument(client, '事件名称必须为字符串', 'The event name must be a string');
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
        throw invalidArgument(client, '事件名称必须为字符串', 'The event name must be a string');
      }
      if (typeof data !== 'string') {
        throw invalidArgument(client, '发布的数据必须为字符串', 'The data must be a string');
      }
      const source = `authing-js-sdk: ${WIRE_VERSION}`;
      const body = { eventType: eventName, source, eventData: data };
      return client.rest({ method: 'POST', path: '/api/v3/pub-userEvent', body, signal });
    },
  };
}
