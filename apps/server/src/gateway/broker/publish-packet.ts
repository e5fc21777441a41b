const PUBLISH_QOS_0 = 0x30;
const MORE_LENGTH = 0x80;
const LENGTH_BYTES = 2;

/**
 * A PUBLISH packet of QoS 0 (MQTT 3.1.1, section 3.3) in one piece, which a socket writes without joining parts.
 *
 * @param sharedEnd follows the payload, UTF-8
 */
export function publishPacket(topic: string, payload: string, sharedEnd?: Uint8Array): Buffer {
  const topicBytes = Buffer.byteLength(topic);
  const payloadBytes = Buffer.byteLength(payload);
  const remaining = LENGTH_BYTES + topicBytes + payloadBytes + (sharedEnd?.length ?? 0);
  const packet = Buffer.allocUnsafe(1 + lengthOf(remaining) + remaining);
  packet[0] = PUBLISH_QOS_0;
  let at = writeLength(packet, 1, remaining);
  at = packet.writeUInt16BE(topicBytes, at);
  at += packet.write(topic, at);
  at += packet.write(payload, at);
  if (sharedEnd) packet.set(sharedEnd, at);
  return packet;
}

/** Seven bits per byte (MQTT 3.1.1, section 2.2.3). */
function lengthOf(remaining: number): number {
  let bytes = 1;
  for (let rest = remaining >> 7; rest > 0; rest >>= 7) bytes += 1;
  return bytes;
}

function writeLength(packet: Buffer, from: number, remaining: number): number {
  let at = from;
  let rest = remaining;
  for (; rest >= MORE_LENGTH; rest >>= 7) packet[at++] = (rest & 0x7f) | MORE_LENGTH;
  packet[at++] = rest;
  return at;
}
