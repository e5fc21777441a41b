import type { ImportEncoding } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';

type Decoder = InstanceType<typeof TextDecoder>;

const labels = { gb18030: 'gb18030', 'windows-1252': 'windows-1252' } as const;

/**
 * The text of a file in pieces, without its byte order mark. A file with such a mark is Unicode, whatever is selected.
 * @throws PortalError 2004 if it is not text, or not in this encoding
 */
export async function* decodeText(
  content: AsyncIterable<Uint8Array>,
  encoding: ImportEncoding,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let first = Buffer.alloc(0);
  for await (const piece of content) {
    if (decoder !== undefined) {
      yield decoded(decoder, piece);
      continue;
    }
    // A byte order mark has up to three bytes.
    first = Buffer.concat([first, piece]);
    if (first.byteLength < 3) continue;
    decoder = decoderOf(first, encoding);
    yield decoded(decoder, first);
  }
  decoder ??= decoderOf(first, encoding);
  if (first.byteLength < 3) yield decoded(decoder, first);
  yield decoded(decoder, undefined);
}

function decoderOf(first: Buffer, encoding: ImportEncoding): Decoder {
  const [one, two, three] = first;
  const fatal = { fatal: true };
  if (one === 0xff && two === 0xfe) return new TextDecoder('utf-16le', fatal);
  if (one === 0xfe && two === 0xff) return new TextDecoder('utf-16be', fatal);
  const isMarked = one === 0xef && two === 0xbb && three === 0xbf;
  return new TextDecoder(isMarked || encoding === 'unicode' ? 'utf-8' : labels[encoding], fatal);
}

/** Archives, spreadsheets, and images contain NUL. */
function decoded(decoder: Decoder, piece: Uint8Array | undefined): string {
  let text: string;
  try {
    text = decoder.decode(piece, { stream: piece !== undefined });
  } catch (cause) {
    // Also an archive, whose bytes are no text in any encoding.
    throw refuse(piece?.includes(0) === true ? 'import-not-text' : 'import-encoding-unknown', {
      cause,
    });
  }
  if (text.includes('\0')) throw refuse('import-not-text');
  return text;
}
