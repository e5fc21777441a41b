import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedBytes } from './ordered-bytes.ts';

test('chunks in any order, and repeated ones, give the bytes in order', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(199), fc.integer({ min: 1, max: 20 })), { maxLength: 60 }),
      (bytes, cuts) => {
        const ordered = new OrderedBytes(10_000);
        const read: number[] = [];
        const take = (offset: number, size: number): void => {
          const chunk = { offset, bytes: bytes.subarray(offset, offset + size) };
          for (const part of ordered.take(chunk)) read.push(...part);
        };
        for (const [offset, size] of cuts) if (offset < bytes.length) take(offset, size);
        for (let at = 0; at < bytes.length; at += 7) take(at, 7);
        expect(read).toEqual([...bytes]);
      },
    ),
  );
});

test('no more bytes are held than the limit', () => {
  const ordered = new OrderedBytes(10);
  ordered.take({ offset: 20, bytes: new Uint8Array(8) });
  ordered.take({ offset: 10, bytes: new Uint8Array(8) });
  const size = (parts: readonly Uint8Array[]): number =>
    parts.reduce((sum, { length }) => sum + length, 0);
  expect(size(ordered.take({ offset: 0, bytes: new Uint8Array(10) }))).toBe(10);
  expect(size(ordered.take({ offset: 10, bytes: new Uint8Array(10) }))).toBe(18);
});
