import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyFrames,
  endFrame,
  failedFrame,
  headFrame,
  readFailure,
  readHead,
  WebFrameReader,
  webRequestHeadSchema,
  webResponseHeadSchema,
} from './web-frames.ts';

const head = { status: 200, headers: [['content-type', 'text/html']] as [string, string][] };

describe('frames of a request or response', () => {
  test('are read from chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (body, size) => {
          const sent = Buffer.concat([headFrame(head), ...bodyFrames(body), endFrame()]);
          const reader = new WebFrameReader();
          const frames = [];
          for (let at = 0; at < sent.length; at += size)
            frames.push(...reader.push(sent.subarray(at, at + size)));
          const [first] = frames;
          expect(readHead(webResponseHeadSchema, first?.content ?? body)).toEqual(head);
          const parts = frames.filter(({ kind }) => kind === 'body').map(({ content }) => content);
          expect(Buffer.concat(parts)).toEqual(Buffer.from(body));
          expect(frames.at(-1)?.kind).toBe('end');
        },
      ),
    );
  });

  test.each<[string, readonly Uint8Array[]]>([
    ['a body first', bodyFrames(new Uint8Array(3))],
    ['an end first', [endFrame()]],
    ['two heads', [headFrame(head), headFrame(head)]],
    ['bytes after the end', [headFrame(head), endFrame(), endFrame()]],
    ['a head that is too large', [new Uint8Array([0, 0xff, 0, 0, 0])]],
    ['an unknown kind', [new Uint8Array([9, 0, 0, 0, 0])]],
  ])('%s is an error', (_what, parts) => {
    const reader = new WebFrameReader();
    expect(() => parts.flatMap((part) => reader.push(part))).toThrow(/frame/);
  });

  test('a failure can come instead of a head', () => {
    const [frame] = new WebFrameReader().push(failedFrame('no-server'));
    expect(readFailure(frame?.content ?? new Uint8Array())).toBe('no-server');
  });

  test('bytes that are not text are no head', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readHead(webResponseHeadSchema, bytes)).toBeUndefined();
      }),
    );
  });
});

test.each([
  ['a line break in a value', { headers: [['x', 'a\r\nset-cookie: b']] }],
  ['a line feed in a value', { headers: [['x', 'a\nb']] }],
  ['a name with a space', { headers: [['x y', 'a']] }],
  ['an empty name', { headers: [['', 'a']] }],
  ['another host as target', { target: 'http://10.0.0.1/' }],
  ['a line break in the target', { target: '/a\r\nhost: b' }],
  ['a space in the target', { target: '/a HTTP/1.1' }],
  ['a method of its own', { method: 'CONNECT' }],
])('%s is rejected', (_what, change) => {
  const valid = { method: 'GET', target: '/', headers: [], bodyBytes: 0 };
  expect(webRequestHeadSchema.safeParse(valid).success).toBe(true);
  expect(webRequestHeadSchema.safeParse({ ...valid, ...change }).success).toBe(false);
});
