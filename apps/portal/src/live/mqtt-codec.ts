/**
 * The part of MQTT 3.1.1 that the portal needs: connect, subscribe and publish at QoS 0, and ping.
 * The common codec library needs Node’s buffers and streams, which would be ten times the size in a
 * browser.
 */

export type MqttPacket =
  | { readonly type: 'connack'; readonly returnCode: number }
  | { readonly type: 'suback'; readonly granted: boolean }
  | { readonly type: 'publish'; readonly topic: string; readonly payload: Uint8Array }
  | { readonly type: 'pingresp' }
  | { readonly type: 'other' };

const CONNECT = 0x10;
const CONNACK = 2;
const PUBLISH = 3;
const SUBACK = 9;
const PINGRESP = 13;
const SUBSCRIBE = 0x82;
const CLEAN_SESSION = 0x02;
const PROTOCOL_LEVEL = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Section 3.1: a clean session without will, username, and password. The signed URL authenticates
 * the client.
 */
export function encodeConnect(clientId: string, keepAliveSeconds: number): Uint8Array {
  return packet(CONNECT, [
    ...field('MQTT'),
    PROTOCOL_LEVEL,
    CLEAN_SESSION,
    ...uint16(keepAliveSeconds),
    ...field(clientId),
  ]);
}

/** Section 3.8: one topic filter at QoS 0. */
export function encodeSubscribe(messageId: number, filter: string): Uint8Array {
  return packet(SUBSCRIBE, [...uint16(messageId), ...field(filter), 0]);
}

/** Section 3.3, QoS 0. */
export function encodePublish(topic: string, payload: string): Uint8Array {
  return packet(PUBLISH << 4, [...field(topic), ...encoder.encode(payload)]);
}

export const pingRequest: Uint8Array = Uint8Array.of(0xc0, 0);
export const disconnect: Uint8Array = Uint8Array.of(0xe0, 0);

function packet(firstByte: number, body: readonly number[]): Uint8Array {
  const length: number[] = [];
  let rest = body.length;
  do {
    const more = rest > 127;
    length.push((rest % 128) + (more ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Uint8Array.from([firstByte, ...length, ...body]);
}

const uint16 = (value: number): [number, number] => [value >> 8, value & 0xff];

function field(text: string): number[] {
  const bytes = encoder.encode(text);
  return [...uint16(bytes.length), ...bytes];
}

/** Collects bytes and returns complete packets, for any split by the WebSocket. */
export class MqttDecoder {
  #gathered: Uint8Array = new Uint8Array();

  /** @throws RangeError if a length is not valid in MQTT. */
  push(bytes: Uint8Array): MqttPacket[] {
    const all = new Uint8Array(this.#gathered.length + bytes.length);
    all.set(this.#gathered);
    all.set(bytes, this.#gathered.length);
    const packets: MqttPacket[] = [];
    let from = 0;
    for (;;) {
      const frame = readFrame(all, from);
      if (frame === undefined) break;
      packets.push(readPacket(frame.firstByte, frame.body));
      from = frame.end;
    }
    this.#gathered = all.slice(from);
    return packets;
  }
}

interface Frame {
  readonly firstByte: number;
  readonly body: Uint8Array;
  readonly end: number;
}

function readFrame(bytes: Uint8Array, from: number): Frame | undefined {
  let length = 0;
  let at = from + 1;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if (shift > 21) throw new RangeError('remaining length exceeds four bytes');
    length += (byte & 0x7f) * 2 ** shift;
    at += 1;
    if (byte < 128) break;
  }
  if (bytes.length < at + length) return undefined;
  return { firstByte: bytes[from] ?? 0, body: bytes.subarray(at, at + length), end: at + length };
}

function readPacket(firstByte: number, body: Uint8Array): MqttPacket {
  switch (firstByte >> 4) {
    case CONNACK:
      return { type: 'connack', returnCode: body[1] ?? 255 };
    case SUBACK:
      return { type: 'suback', granted: (body[2] ?? 128) < 128 };
    case PINGRESP:
      return { type: 'pingresp' };
    case PUBLISH: {
      const topicLength = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
      const hasMessageId = (firstByte & 0x06) !== 0;
      const payloadAt = 2 + topicLength + (hasMessageId ? 2 : 0);
      return {
        type: 'publish',
        topic: decoder.decode(body.subarray(2, 2 + topicLength)),
        payload: body.slice(payloadAt),
      };
    }
    default:
      return { type: 'other' };
  }
}
