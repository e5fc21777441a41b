import type { ViewerMessage } from './broker/broker-messages.ts';

export interface ViewerHandlers {
  /** Called with the interests of viewers. */
  readonly watched: (messages: readonly ViewerMessage[]) => void;
  /** Called with the MQTT client ids of connections that ended. */
  readonly gone: (connections: readonly string[]) => void;
}

/** How the live channel reaches browsers: always through the embedded broker, whatever devices use. */
export interface ViewerTransport {
  /** Unix socket that accepts upgraded connections. */
  readonly socketPath: string;
  readonly attach: (handlers: ViewerHandlers) => void;
  /** Sends to one connection each; messages to ended connections are dropped. */
  readonly publish: (
    messages: readonly {
      readonly connection: string;
      readonly viewerId: string;
      readonly payload: string;
    }[],
  ) => void;
  readonly end: (connections: readonly string[]) => void;
}
