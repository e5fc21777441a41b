import fc from 'fast-check';

/** Texts that are problematic for parsers, databases, or languages. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\uD800',
      '\uFFFE',
      '%',
      '%00',
      '%zz',
      '../..',
      '//',
      '\\',
      '"',
      "'",
    ],
    ...['{', '[', '{}', '[]', 'null', '-1', '1e999', '9'.repeat(400), '__proto__', 'constructor'],
    ...[
      '\r\n',
      '\r\nset-cookie: a=b',
      '<a>',
      '&a;',
      '<!--',
      '${x}',
      '{{x}}',
      'http://[',
      'a'.repeat(5_000),
    ],
    ...[
      'javascript:0',
      'http://127.0.0.1:9/callback@evil.example',
      '2026-02-30',
      '00000000-0000-0000-0000-000000000000',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** The text with a part removed, duplicated, inserted, or replaced. */
export const mutateText = (text: string): fc.Arbitrary<string> =>
  fc
    .record({
      from: fc.nat({ max: text.length }),
      length: fc.nat({ max: 20 }),
      act: fc.constantFrom('cut', 'double', 'insert', 'replace', 'end'),
      odd: oddText,
    })
    .map(({ from, length, act, odd }) => {
      const [before, own, after] = [
        text.slice(0, from),
        text.slice(from, from + length),
        text.slice(from + length),
      ];
      return {
        cut: before + after,
        double: before + own + own + after,
        insert: before + odd + own + after,
        replace: odd,
        end: before,
      }[act];
    });

/** The same for bytes, with one of them replaced. */
export const mutateBytes = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .record({
      from: fc.nat({ max: bytes.length }),
      length: fc.nat({ max: 40 }),
      act: fc.constantFrom('turn', 'turn', 'cut', 'double', 'insert', 'end'),
      odd: fc.uint8Array({ minLength: 1, maxLength: 8 }),
    })
    .map(({ from, length, act, odd }) => {
      const [before, own, after] = [
        bytes.subarray(0, from),
        bytes.subarray(from, from + length),
        bytes.subarray(from + length),
      ];
      return Buffer.concat(
        {
          turn: [before, odd, after.subarray(odd.length)],
          cut: [before, after],
          double: [before, own, own, after],
          insert: [before, odd, own, after],
          end: [before],
        }[act],
      );
    });
