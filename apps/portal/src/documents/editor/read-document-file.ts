import type { BesideText } from '@deviceportal/contract/documents';
import { consequences } from '@deviceportal/contract/permissions';

/** Far more than the 64 KiB that a document may have: enough for what `aws ssm get-document` wraps around it. */
const LIMIT_BYTES = 256 * 1024;

export type FileProblem = 'too-large' | 'not-text';

export type DocumentFile =
  | {
      readonly kind: 'text';
      readonly content: string;
      readonly name: string;
      /** What stands beside the text, where the file is another portal's. */
      readonly beside: BesideText | null;
    }
  | { readonly kind: 'refused'; readonly problem: FileProblem };

/**
 * A file as a document's text. What `aws ssm get-document` answers, and what `create-document --cli-input-json` takes,
 * holds the text in `Content`: that is taken out. Whether the text is a valid document is the checker's business.
 */
export function readDocumentFile(fileName: string, bytes: Uint8Array): DocumentFile {
  if (bytes.byteLength > LIMIT_BYTES) return { kind: 'refused', problem: 'too-large' };
  let text: string;
  try {
    // Takes a byte order mark off, which would stand before the first key.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'refused', problem: 'not-text' };
  }
  const wrapped = unwrap(text);
  return {
    kind: 'text',
    content: (wrapped?.content ?? text).replaceAll('\r\n', '\n'),
    name: wrapped?.name ?? nameOf(fileName),
    beside: wrapped?.beside ?? null,
  };
}

interface Wrapped {
  readonly content: string;
  readonly name: string | null;
  readonly beside: BesideText | null;
}

function unwrap(text: string): Wrapped | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null || !('Content' in parsed)) return null;
  if (typeof parsed.Content !== 'string') return null;
  const name = 'Name' in parsed && typeof parsed.Name === 'string' ? parsed.Name : null;
  const beside = 'DevicePortal' in parsed ? besideOf(parsed.DevicePortal) : null;
  return { content: parsed.Content, name, beside };
}

/** Only what has the right shape: the server checks what it says. */
function besideOf(value: unknown): BesideText | null {
  if (typeof value !== 'object' || value === null) return null;
  const { consequence, secretParameters, phasesText } = value as Partial<BesideText>;
  const known = consequences.find((one) => one === consequence);
  if (known === undefined || !Array.isArray(secretParameters)) return null;
  const secrets = secretParameters.filter((name) => typeof name === 'string');
  return {
    consequence: known,
    secretParameters: secrets,
    phasesText: typeof phasesText === 'string' ? phasesText : '',
  };
}

/** `acme-clean-v3.yaml` is version 3 of `acme-clean`, as the portal itself exports it. */
function nameOf(fileName: string): string {
  return fileName
    .replace(/\.(json|ya?ml|txt)$/i, '')
    .replace(/\.deviceportal$/, '')
    .replace(/-v\d+$/, '')
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, '-')
    .slice(0, 128);
}
