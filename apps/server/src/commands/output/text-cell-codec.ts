import { csvTextCell } from '../../platform/csv.ts';

/** Encodes a text in pieces as one cell of RFC 4180 that spreadsheets do not interpret as a formula. */
export function csvText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  return csvTextCell(wholeCharacters(pieces));
}

/** Encodes a text in pieces as one JSON string. */
export async function* jsonText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '"';
  for await (const piece of wholeCharacters(pieces)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/**
 * Moves surrogate pairs that are split between pieces into one piece, because half a pair cannot be encoded in UTF-8.
 */
async function* wholeCharacters(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    held = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    if (text.length > held.length) yield text.slice(0, text.length - held.length);
  }
  if (held !== '') yield held.toWellFormed();
}
