import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputMask } from './output-mask.ts';

const SECRET = 'hunter2-Secret';
const escapes = fc.constantFrom('', '', '', '\u001B[31m', '\u001B[0;1m', '\u001B]0;title\u0007');
const filler = fc.string({ unit: fc.constantFrom('x', ' ', '\n', '7'), maxLength: 12 });

/** A stream that contains the secret, possibly with escape sequences between its characters. */
const stream = fc
  .array(
    fc.tuple(filler, fc.array(escapes, { minLength: SECRET.length, maxLength: SECRET.length })),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => {
    let text = '';
    const places: number[][] = [];
    for (const [before, between] of parts) {
      text += before;
      places.push(
        [...SECRET].map((letter, index) => {
          text += letter;
          const at = text.length - 1;
          if (index < SECRET.length - 1) text += between[index];
          return at;
        }),
      );
    }
    return { text: `${text} end`, places };
  });

it('shows at most two characters of a secret at each cut, wherever a viewer joins', () => {
  fc.assert(
    fc.property(
      stream,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 200 }),
      fc.nat({ max: 30 }),
      ({ text, places }, sizes, joinsAfter) => {
        const mask = new OutputMask([SECRET]);
        let shown = '';
        let joinedAt = text.length;
        let at = 0;
        for (let turn = 0; at < text.length; turn += 1) {
          const piece = text.slice(at, at + (sizes[turn % sizes.length] ?? 1));
          if (turn === joinsAfter) joinedAt = at;
          if (turn >= joinsAfter) shown += mask.mask({ stream: 'stdout', offset: at, text: piece });
          at += piece.length;
        }
        expect(shown).toHaveLength(text.length - joinedAt);
        for (const letters of places) {
          const visible = letters.filter(
            (place) => place >= joinedAt && shown[place - joinedAt] !== '•',
          );
          // Two characters at the start, before a secret can be recognized, and two where the viewer joins.
          expect(visible.length).toBeLessThanOrEqual(4);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('hides the rest of a secret from a viewer who joins in the middle of it', () => {
  const mask = new OutputMask([SECRET]);
  expect(mask.mask({ stream: 'stdout', offset: 21, text: 'unter2-Secret done' })).toBe(
    `${'•'.repeat(13)} done`,
  );
});

it('hides a piece inside a secret, and text after a gap', () => {
  const mask = new OutputMask([SECRET]);
  expect(mask.mask({ stream: 'stdout', offset: 21, text: 'nter2' })).toBe('•••••');
  expect(mask.mask({ stream: 'stdout', offset: 28, text: 'ecret!' })).toBe('•••••!');
});

it('hides a secret that follows the rest of an escape sequence', () => {
  const mask = new OutputMask([SECRET]);
  expect(mask.mask({ stream: 'stderr', offset: 9, text: '1;31mter2-Secret' })).toBe(
    `1;31m${'•'.repeat(11)}`,
  );
});

it('keeps streams apart', () => {
  const mask = new OutputMask([SECRET]);
  mask.mask({ stream: 'stdout', offset: 0, text: 'hunter2' });
  expect(mask.mask({ stream: 'stderr', offset: 0, text: '-Secret' })).toBe('-Secret');
});

it('changes nothing without secrets', () => {
  const mask = new OutputMask([]);
  expect(mask.mask({ stream: 'stdout', offset: 5, text: 'plain' })).toBe('plain');
});
