import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBytes, StreamSender, type StreamChunk } from './terminal-stream.ts';

const options = { chunkBytes: 7, limit: 40, retryMs: 100 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('stream of bytes over a lossy channel', () => {
  it('arrives complete and in order, whatever is lost, repeated, and reordered', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
        (pieces, fates) => {
          const sender = new StreamSender(options);
          const received: number[] = [];
          let inFlight: StreamChunk[] = [];
          let nowMs = 0;
          const fate = (): number => fates.next().value ?? 0;
          const deliver = (chunk: StreamChunk): void => {
            received.push(...(newBytes(received.length, chunk) ?? []));
            // Acknowledgments are lost, too.
            if (fate() < 7) sender.acknowledge(received.length);
            if (fate() < 7) sender.allow(received.length + options.limit);
          };
          const waiting = [...pieces];
          for (let round = 0; round < 5_000 && (waiting.length > 0 || !sender.isSettled); round++) {
            const piece = waiting.shift();
            if (piece !== undefined) sender.add(piece);
            nowMs += 50;
            for (const chunk of sender.take(nowMs)) {
              const luck = fate();
              if (luck < 6) inFlight.push(chunk);
              if (luck === 5) inFlight.push(chunk);
              if (luck === 4) inFlight.reverse();
            }
            if (fate() < 5) {
              for (const chunk of inFlight) deliver(chunk);
              inFlight = [];
            }
            if (fate() === 9) sender.rewind();
          }
          expect(received).toEqual(pieces.flatMap((piece) => [...piece]));
        },
      ),
    );
  });

  it('sends nothing beyond what the receiver allows', () => {
    const sender = new StreamSender(options);
    sender.add(new Uint8Array(1_000));
    const sent = sender.take(0).reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(sent).toBe(40);
    expect(sender.take(0)).toEqual([]);
    sender.allow(50);
    sender.allow(45);
    expect(sender.take(0).map(({ offset, bytes }) => [offset, bytes.length])).toEqual([
      [40, 7],
      [47, 3],
    ]);
  });

  it('sends again only what is not acknowledged, and less often with every attempt', () => {
    const sender = new StreamSender(options);
    sender.add(bytesOf('abcdefghij'));
    expect(sender.take(0).map(({ offset }) => offset)).toEqual([0, 7]);
    sender.acknowledge(3);
    expect(sender.take(99)).toEqual([]);
    const again = sender.take(200);
    expect(again.map(({ offset }) => offset)).toEqual([3]);
    expect(sender.take(350)).toEqual([]);
    expect(sender.take(400)).toHaveLength(1);
  });

  it('ignores an acknowledgment of bytes that were never added', () => {
    const sender = new StreamSender(options);
    sender.add(bytesOf('abc'));
    sender.acknowledge(4);
    expect(sender.held).toBe(3);
  });
});
