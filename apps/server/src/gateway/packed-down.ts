import type { DownMessage } from './device-transport.ts';
import { wholePayload } from './whole-payload.ts';

/** Messages to devices as they cross to the broker's thread. */
export interface PackedDown {
  readonly kind: 'down';
  readonly sharedEnds: readonly string[];
  readonly messages: readonly PackedMessage[];
}

interface PackedMessage extends Omit<DownMessage, 'sharedEnd'> {
  /** Which of `sharedEnds` follows the payload. */
  readonly end?: number;
}

/** Posting to a thread copies every string, so an end that many messages share is posted once. */
export function packDown(messages: readonly DownMessage[]): PackedDown {
  const positions = new Map<string, number>();
  const packed = messages.map(({ sharedEnd, ...message }): PackedMessage => {
    if (sharedEnd === undefined) return message;
    const known = positions.get(sharedEnd);
    if (known !== undefined) return { ...message, end: known };
    const end = positions.size;
    positions.set(sharedEnd, end);
    return { ...message, end };
  });
  return { kind: 'down', sharedEnds: [...positions.keys()], messages: packed };
}

export function* unpackDown({
  sharedEnds,
  messages,
}: PackedDown): Generator<Omit<DownMessage, 'sharedEnd'>> {
  for (const { end, payload, ...message } of messages) {
    const sharedEnd = end === undefined ? undefined : sharedEnds[end];
    yield { ...message, payload: wholePayload({ payload, sharedEnd }) };
  }
}
