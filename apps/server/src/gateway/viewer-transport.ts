import type { ViewerMessage } from './broker/broker-messages.ts';

export interface ViewerHandlers {
  /** A viewer says what it looks at. */
  readonly watched: (messages: readonly ViewerMessage[]) => void;
  /** Connections, by MQTT client id, that ended. */
  readonly gone: (connections: readonly string[]) => void;
}

/** How the live channel reaches browsers: always through the embedded broker, whatever devices use. */
export interface ViewerTransport {
  /** Unix socket that takes upgraded connections. */
  readonly socketPath: string;
  readonly attach: (handlers: ViewerHandlers) => void;
  /** To one connection each; what has gone is gone. */
  readonly publish: (
    messages: readonly {
      readonly connection: string;
      readonly viewerId: string;
      readonly payload: string;
    }[],
  ) => void;
  readonly end: (connections: readonly string[]) => void;
}
