import type { BesideText } from '@deviceportal/contract/documents';
import { consequences } from '@deviceportal/contract/permissions';

/**
 * Bytes. Much more than the 64 KiB limit of a document, to allow for the wrapper of `aws ssm
 * get-document`.
 */
const LIMIT_BYTES = 256 * 1024;

export type FileProblem = 'too-large' | 'not-text';

export type DocumentFile =
  | {
      readonly kind: 'text';
      readonly content: string;
      readonly name: string;
      /** Additional properties, if the file was exported by another portal. */
      readonly extra: BesideText | null;
    }
  | { readonly kind: 'refused'; readonly problem: FileProblem };

/**
 * Reads a file as the text of a document. Responses of `aws ssm get-document` and inputs for
 * `create-document --cli-input-json` contain the text in `Content`, which is extracted. Validation
 * is a separate step.
 */
export function readDocumentFile(fileName: string, bytes: Uint8Array): DocumentFile {
  if (bytes.byteLength > LIMIT_BYTES) return { kind: 'refused', problem: 'too-large' };
  let text: string;
  try {
    // Removes a byte order mark, which would become part of the first key.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'refused', problem: 'not-text' };
  }
  const wrapped = unwrap(text);
  return {
    kind: 'text',
    content: (wrapped?.content ?? text).replaceAll('\r\n', '\n'),
    name: wrapped?.name ?? nameOf(fileName),
    extra: wrapped?.extra ?? null,
  };
}

interface Wrapped {
  readonly content: string;
  readonly name: string | null;
  readonly extra: BesideText | null;
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
  const extra = 'DevicePortal' in parsed ? extraOf(parsed.DevicePortal) : null;
  return { content: parsed.Content, name, extra };
}

/** Checks only the types. The server validates the values. */
function extraOf(value: unknown): BesideText | null {
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

/** `acme-clean-v3.yaml` is version 3 of `acme-clean`, as exported by the portal. */
function nameOf(fileName: string): string {
  return fileName
    .replace(/\.(json|ya?ml|txt)$/i, '')
    .replace(/\.deviceportal$/, '')
    .replace(/-v\d+$/, '')
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, '-')
    .slice(0, 128);
}
