import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvText, jsonText } from './text-cell-codec.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

/** Encodes every piece as UTF-8 separately. */
async function encoded(pieces: AsyncIterable<string>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts).toString();
}

const anyText = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\\', '=', '🚀', 'é') });
const sizes = fc.integer({ min: 1, max: 5 });

it('encodes a text as the same JSON string for any split', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, sizes, async (text, size) => {
      expect(JSON.parse(await encoded(jsonText(inPieces(text, size))))).toBe(text);
    }),
  );
});

it('encodes a text as the same cell for any split, and never as a formula', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, sizes, async (text, size) => {
      const cell = await encoded(csvText(inPieces(text, size)));
      const inside = cell.slice(1, -1).replaceAll('""', '"');
      expect(inside).toBe(text.startsWith('=') ? `'${text}` : text);
    }),
  );
});
