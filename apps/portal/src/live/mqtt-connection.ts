import {
  MqttDecoder,
  disconnect,
  encodeConnect,
  encodePublish,
  encodeSubscribe,
  pingRequest,
} from './mqtt-codec.ts';

export interface ConnectionTarget {
  readonly url: string;
  readonly clientId: string;
  readonly subscribeTo: string;
}

export interface MqttConnectionOptions {
  /** Asked before each try: credentials and signature are new each time. */
  readonly target: () => Promise<ConnectionTarget>;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onMessage: (payload: Uint8Array) => void;
  readonly random?: () => number;
}

export interface MqttConnection extends Disposable {
  /** Dropped while there is no connection: what matters is sent again on opening. */
  readonly publish: (topic: string, payload: string) => void;
}

const KEEP_ALIVE_SECONDS = 30;
const OPEN_TIMEOUT_MS = 10_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Half to all of 1 s, 2 s, 4 s … 60 s: many browsers do not come back in the same moment. */
export function reconnectDelayMs(failures: number, random: number): number {
  const fullMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
  return Math.round(fullMs * (0.5 + random / 2));
}

/** One connection that comes back by itself, with back-off and new credentials, until it is disposed of. */
export function openMqttConnection(options: MqttConnectionOptions): MqttConnection {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let ended = false;

  const again = (): void => {
    if (ended) return;
    const delayMs = reconnectDelayMs(failures, (options.random ?? Math.random)());
    failures += 1;
    clearTimeout(retry);
    retry = setTimeout(() => void connect(), delayMs);
  };

  const connect = async (): Promise<void> => {
    try {
      const target = await options.target();
      if (ended) return;
      socket = openSocket(target, {
        ...options,
        onOpen: () => {
          failures = 0;
          options.onOpen();
        },
        onClose: () => {
          socket = undefined;
          options.onClose();
          again();
        },
      });
    } catch {
      // No session or no identity pool just now: the same back-off.
      again();
    }
  };

  const wake = (): void => {
    if (socket !== undefined || ended) return;
    failures = 0;
    clearTimeout(retry);
    void connect();
  };
  window.addEventListener('online', wake);
  void connect();
  return {
    publish(topic, payload) {
      if (socket?.readyState === WebSocket.OPEN)
        socket.send(encodePublish(topic, payload) as BufferSource);
    },
    [Symbol.dispose]() {
      ended = true;
      clearTimeout(retry);
      window.removeEventListener('online', wake);
      if (socket?.readyState === WebSocket.OPEN) socket.send(disconnect as BufferSource);
      socket?.close();
    },
  };
}

type SocketHandlers = Pick<MqttConnectionOptions, 'onOpen' | 'onClose' | 'onMessage'>;

function openSocket(target: ConnectionTarget, handlers: SocketHandlers): WebSocket {
  const socket = new WebSocket(target.url, 'mqtt');
  const decoder = new MqttDecoder();
  const opening = setTimeout(() => socket.close(), OPEN_TIMEOUT_MS);
  let ping: ReturnType<typeof setInterval> | undefined;
  let answered = true;
  socket.binaryType = 'arraybuffer';
  const send = (bytes: Uint8Array): void => socket.send(bytes as BufferSource);
  socket.addEventListener('open', () => send(encodeConnect(target.clientId, KEEP_ALIVE_SECONDS)));
  socket.addEventListener('message', ({ data }) => {
    try {
      for (const packet of decoder.push(new Uint8Array(data as ArrayBuffer))) {
        if (packet.type === 'connack' && packet.returnCode !== 0) socket.close();
        else if (packet.type === 'connack') send(encodeSubscribe(1, target.subscribeTo));
        else if (packet.type === 'suback' && !packet.granted) socket.close();
        else if (packet.type === 'suback') {
          clearTimeout(opening);
          handlers.onOpen();
        } else if (packet.type === 'publish') handlers.onMessage(packet.payload);
        else if (packet.type === 'pingresp') answered = true;
      }
    } catch {
      socket.close();
    }
  });
  ping = setInterval(
    () => {
      if (socket.readyState !== WebSocket.OPEN) return;
      // The last ping got no answer: the line is dead, whatever the socket believes.
      if (!answered) {
        socket.close();
        return;
      }
      answered = false;
      send(pingRequest);
    },
    (KEEP_ALIVE_SECONDS * 1_000) / 2,
  );
  socket.addEventListener('close', () => {
    clearTimeout(opening);
    clearInterval(ping);
    handlers.onClose();
  });
  return socket;
}
