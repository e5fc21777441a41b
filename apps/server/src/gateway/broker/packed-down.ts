import type { DownMessage } from '../device-transport.ts';

/** Messages to devices, packed for the port to the broker's thread. */
export interface PackedDown {
  readonly kind: 'down';
  readonly sharedEnds: readonly string[];
  readonly messages: readonly PackedMessage[];
}

interface PackedMessage extends Omit<DownMessage, 'sharedEnd'> {
  /** Index into `sharedEnds` of the string that follows the payload. */
  readonly end?: number;
}

/**
 * Posting to a thread copies every string, so an end that many messages share is posted once. Fields are named
 * individually: object rest copies cost three times as much.
 */
export function packDown(messages: readonly DownMessage[]): PackedDown {
  const positions = new Map<string, number>();
  const packed = messages.map(({ deviceId, channel, payload, qos, sharedEnd }): PackedMessage => {
    if (sharedEnd === undefined) return { deviceId, channel, payload, qos };
    let end = positions.get(sharedEnd);
    if (end === undefined) positions.set(sharedEnd, (end = positions.size));
    return { deviceId, channel, payload, qos, end };
  });
  return { kind: 'down', sharedEnds: [...positions.keys()], messages: packed };
}

export interface UnpackedMessage extends Omit<DownMessage, 'sharedEnd'> {
  /** UTF-8. */
  readonly sharedEnd: Buffer | undefined;
}

export function unpackDown({ sharedEnds, messages }: PackedDown): UnpackedMessage[] {
  const ends = sharedEnds.map((end) => Buffer.from(end));
  return messages.map(({ deviceId, channel, payload, qos, end }) => {
    const sharedEnd = end === undefined ? undefined : ends[end];
    return { deviceId, channel, payload, sharedEnd, qos };
  });
}
