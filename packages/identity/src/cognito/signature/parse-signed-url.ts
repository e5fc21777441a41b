import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import { z } from 'zod';
import { parseAmzDate } from './amz-date.ts';
import { parseQuery, type QueryParameter } from './canonical-request.ts';
import type { CredentialScope } from './signature-of.ts';
import { SignedUrlError } from './signed-url-error.ts';

/** The parts of a presigned URL (SigV4 with query parameters). */
export interface SignedUrl {
  readonly path: string;
  readonly host: string;
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** `20261120T162740Z` */
  readonly amzDate: string;
  readonly signedAtMs: number;
  readonly lifetimeSeconds: number;
  readonly sessionToken: string;
  readonly signature: Buffer;
  /** Every parameter but the signature itself. */
  readonly query: readonly QueryParameter[];
}

export interface SignedUrlRequest {
  /** Path and query as in the request line. */
  readonly url: string;
  /** Value of the Host header, with the port if it has one. */
  readonly host: string | undefined;
  /** The client's network address, for policies that ask for it; left out, none of those is satisfied. */
  readonly address?: string;
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

/** Session token and signature are the most of it. */
const LONGEST_URL = 16_384;

/**
 * Reads a signed URL without verifying it.
 * @throws SignedUrlError `malformed`, or `lifetimeTooLong` beyond one week
 */
export function parseSignedUrl(request: SignedUrlRequest): SignedUrl {
  if (request.url.length > LONGEST_URL) throw malformed('The URL is too long.');
  const question = request.url.indexOf('?');
  if (question < 0) throw malformed('The URL is not signed.');
  if (request.host === undefined || !/^[\w.:[\]-]{1,255}$/.test(request.host)) {
    throw malformed('The Host header is missing or malformed.');
  }
  const { signing, query } = readParameters(request.url.slice(question + 1));
  const [accessKeyId = '', day = '', region = '', service = ''] =
    signing['X-Amz-Credential'].split('/');
  const signedAtMs = parseAmzDate(signing['X-Amz-Date']);
  if (signedAtMs === undefined) throw malformed('Parameter X-Amz-Date is not a date.');
  if (!signing['X-Amz-Date'].startsWith(`${day}T`)) {
    throw malformed('Date and credential scope differ.');
  }
  const lifetimeSeconds = Number(signing['X-Amz-Expires']);
  if (lifetimeSeconds > SIGNED_URL_MAX_SECONDS) {
    throw new SignedUrlError(
      'lifetimeTooLong',
      `A signed URL can be valid for at most ${SIGNED_URL_MAX_SECONDS} s.`,
    );
  }
  return {
    path: request.url.slice(0, question),
    host: request.host,
    accessKeyId,
    scope: { day, region, service },
    amzDate: signing['X-Amz-Date'],
    signedAtMs,
    lifetimeSeconds,
    sessionToken: signing['X-Amz-Security-Token'],
    signature: Buffer.from(signing['X-Amz-Signature'], 'hex'),
    query,
  };
}

function readParameters(text: string) {
  const query = parseQuery(text);
  if (query === undefined) throw malformed('The query is malformed.');
  const names = query.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw malformed(`Parameter ${twice} occurs twice.`);
  const signing = new Map(query.filter(([name]) => name.startsWith('X-Amz-')));
  const parsed = parametersSchema.safeParse(Object.fromEntries(signing));
  if (!parsed.success) {
    const name = parsed.error.issues[0]?.path.join('.') ?? '';
    throw malformed(`Parameter ${name} is missing or malformed.`);
  }
  return { signing: parsed.data, query: query.filter(([name]) => name !== 'X-Amz-Signature') };
}

function malformed(message: string): SignedUrlError {
  return new SignedUrlError('malformed', message);
}
