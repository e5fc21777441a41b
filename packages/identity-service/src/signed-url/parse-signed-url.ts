import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import { z } from 'zod';
import { SignedUrlError } from './signed-url-error.ts';

/** The parts of a presigned URL (SigV4 with query parameters). */
export interface SignedUrl {
  readonly path: string;
  readonly host: string;
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  readonly signedAtMs: number;
  readonly lifetimeSeconds: number;
  readonly sessionToken: string;
  readonly signature: string;
  /** Parameters that do not belong to the signature but are covered by it. */
  readonly query: Readonly<Record<string, string>>;
}

export interface SignedUrlRequest {
  /** Path and query as they stand in the request line. */
  readonly url: string;
  /** Value of the Host header, with the port if it has one. */
  readonly host: string | undefined;
}

const parametersSchema = z.object({
  'X-Amz-Algorithm': z.literal('AWS4-HMAC-SHA256'),
  'X-Amz-Credential': z
    .string()
    .regex(/^[A-Z0-9]{16,128}\/\d{8}\/[a-z0-9-]{1,32}\/[a-z0-9-]{1,32}\/aws4_request$/),
  'X-Amz-Date': z.string().regex(/^\d{8}T\d{6}Z$/),
  'X-Amz-Expires': z.string().regex(/^[1-9]\d{0,9}$/),
  // A browser cannot set other headers on a WebSocket, so nothing else may be demanded.
  'X-Amz-SignedHeaders': z.literal('host'),
  'X-Amz-Security-Token': z.string().min(1).max(4_096),
  'X-Amz-Signature': z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Reads a signed URL without judging it.
 * @throws SignedUrlError `malformed`, or `lifetimeTooLong` beyond one week
 */
export function parseSignedUrl(request: SignedUrlRequest): SignedUrl {
  const question = request.url.indexOf('?');
  if (question < 0) throw malformed('The URL is not signed.');
  if (request.host === undefined || !/^[\w.:[\]-]{1,255}$/.test(request.host)) {
    throw malformed('The Host header is missing or malformed.');
  }
  const { signing, query } = readParameters(request.url.slice(question + 1));
  const [accessKeyId = '', date, region = '', service = ''] =
    signing['X-Amz-Credential'].split('/');
  const signedAtMs = parseAmzDate(signing['X-Amz-Date']);
  if (!signing['X-Amz-Date'].startsWith(`${date}T`)) {
    throw malformed('Date and credential scope differ.');
  }
  const lifetimeSeconds = Number(signing['X-Amz-Expires']);
  if (lifetimeSeconds > SIGNED_URL_MAX_SECONDS) {
    throw new SignedUrlError(
      'lifetimeTooLong',
      `A signed URL may live for at most ${SIGNED_URL_MAX_SECONDS} s.`,
    );
  }
  return {
    path: request.url.slice(0, question),
    host: request.host,
    accessKeyId,
    region,
    service,
    signedAtMs,
    lifetimeSeconds,
    sessionToken: signing['X-Amz-Security-Token'],
    signature: signing['X-Amz-Signature'],
    query,
  };
}

function readParameters(text: string) {
  // Without a prototype: `__proto__` is a parameter like any other.
  const query: Record<string, string> = Object.create(null);
  const signing: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const target = name.startsWith('X-Amz-') ? signing : query;
    if (Object.hasOwn(target, name)) throw malformed(`Parameter ${name} stands twice.`);
    target[name] = value;
  }
  const parsed = parametersSchema.safeParse({ ...signing });
  if (!parsed.success) {
    const name = parsed.error.issues[0]?.path.join('.') ?? '';
    throw malformed(`Parameter ${name} is missing or malformed.`);
  }
  return { signing: parsed.data, query };
}

/** `20261120T162740Z` in milliseconds since 1970. */
function parseAmzDate(text: string): number {
  const iso = text.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/,
    '$1-$2-$3T$4:$5:$6.000Z',
  );
  const ms = Date.parse(iso);
  // A date such as 31 February would be read as another day than the one that was signed.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) {
    throw malformed('Parameter X-Amz-Date is no date.');
  }
  return ms;
}

function malformed(message: string): SignedUrlError {
  return new SignedUrlError('malformed', message);
}
