import { ALGORITHM, type CredentialScope } from './signature-of.ts';
import { SignatureError } from './signature-error.ts';

/** The parts of an `Authorization` header of SigV4. */
export interface Authorization {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** Lower case, sorted, each once. */
  readonly signedHeaders: readonly string[];
  readonly signature: Buffer;
}

const CREDENTIAL =
  /^([A-Z0-9]{16,128})\/(\d{8})\/([a-z0-9-]{1,32})\/([a-z0-9-]{1,32})\/aws4_request$/;
const SIGNED_HEADERS = /^[a-z0-9-]+(;[a-z0-9-]+)*$/;
const MAX_CHARACTERS = 4_096;

/**
 * Reads the header without verifying it.
 * @throws SignatureError `missing` or `incomplete`
 */
export function parseAuthorization(text: string): Authorization {
  if (text === '') throw new SignatureError('missing', 'Missing Authentication Token');
  if (!text.startsWith(`${ALGORITHM} `) || text.length > MAX_CHARACTERS) {
    throw incomplete(`Authorization header requires '${ALGORITHM}'.`);
  }
  const parts = new Map<string, string>();
  for (const part of text.slice(ALGORITHM.length + 1).split(',')) {
    const [name = '', ...rest] = part.trim().split('=');
    if (parts.has(name)) throw incomplete(`Authorization header contains '${name}' twice.`);
    parts.set(name, rest.join('='));
  }
  const credential = CREDENTIAL.exec(parts.get('Credential') ?? '');
  if (credential === null) throw missingPart('Credential');
  const signedHeaders = parts.get('SignedHeaders') ?? '';
  if (!SIGNED_HEADERS.test(signedHeaders)) throw missingPart('SignedHeaders');
  const signature = parts.get('Signature') ?? '';
  if (!/^[0-9a-f]{64}$/.test(signature)) throw missingPart('Signature');
  const [, accessKeyId = '', day = '', region = '', service = ''] = credential;
  return {
    accessKeyId,
    scope: { day, region, service },
    signedHeaders: [...new Set(signedHeaders.split(';'))].toSorted(),
    signature: Buffer.from(signature, 'hex'),
  };
}

export function incomplete(message: string): SignatureError {
  return new SignatureError('incomplete', message);
}

function missingPart(name: string): SignatureError {
  return incomplete(`Authorization header requires '${name}' parameter.`);
}
