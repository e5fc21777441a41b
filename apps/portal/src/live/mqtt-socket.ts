import {
  MqttDecoder,
  disconnect,
  encodeConnect,
  encodePublish,
  encodeSubscribe,
  pingRequest,
  type MqttPacket,
} from './mqtt-codec.ts';

export interface MqttSocketTarget {
  readonly url: string;
  readonly clientId: string;
  readonly subscribeTo: string;
}

export interface MqttSocketHandlers {
  /** Connected and subscribed. */
  readonly onOpen: () => void;
  /** Called once, also if the connection never opened. */
  readonly onClose: () => void;
  readonly onMessage: (payload: Uint8Array) => void;
}

export interface MqttSocket {
  readonly publish: (topic: string, payload: string) => void;
  /** Closes the connection soon unless the server responds. */
  readonly probe: () => void;
  readonly close: () => void;
}

const KEEP_ALIVE_SECONDS = 30;
const PING_MS = (KEEP_ALIVE_SECONDS * 1_000) / 2;
const OPEN_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** An MQTT connection over a WebSocket, subscribed to one topic. */
export function openMqttSocket(target: MqttSocketTarget, handlers: MqttSocketHandlers): MqttSocket {
  const socket = new WebSocket(target.url, 'mqtt');
  socket.binaryType = 'arraybuffer';
  const decoder = new MqttDecoder();
  let closed = false;
  let answer: ReturnType<typeof setTimeout> | undefined;
  const send = (bytes: Uint8Array): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes as BufferSource);
  };
  const finish = (): void => {
    if (closed) return;
    closed = true;
    clearTimeout(opening);
    clearTimeout(answer);
    clearInterval(ping);
    handlers.onClose();
    // Closing a dead connection can take a minute, so the handler is called without waiting.
    socket.close();
  };
  const probe = (): void => {
    if (socket.readyState !== WebSocket.OPEN || answer !== undefined) return;
    answer = setTimeout(finish, ANSWER_TIMEOUT_MS);
    send(pingRequest);
  };
  const opening = setTimeout(finish, OPEN_TIMEOUT_MS);
  const ping = setInterval(probe, PING_MS);
  const take = (packet: MqttPacket): void => {
    if (packet.type === 'connack' && packet.returnCode === 0)
      send(encodeSubscribe(1, target.subscribeTo));
    else if (packet.type === 'connack' || (packet.type === 'suback' && !packet.granted)) finish();
    else if (packet.type === 'suback') {
      clearTimeout(opening);
      handlers.onOpen();
    } else if (packet.type === 'publish') handlers.onMessage(packet.payload);
  };
  socket.addEventListener('open', () => send(encodeConnect(target.clientId, KEEP_ALIVE_SECONDS)));
  socket.addEventListener('message', ({ data }) => {
    // Any data proves that the connection is alive.
    clearTimeout(answer);
    answer = undefined;
    try {
      for (const packet of decoder.push(new Uint8Array(data as ArrayBuffer)))
        if (!closed) take(packet);
    } catch {
      finish();
    }
  });
  socket.addEventListener('close', finish);
  return {
    publish: (topic, payload) => send(encodePublish(topic, payload)),
    probe,
    close() {
      send(disconnect);
      finish();
    },
  };
}
