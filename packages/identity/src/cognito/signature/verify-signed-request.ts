import type { Clock } from '../../clock.ts';
import { sameBytes } from '../../secrets/secret-hash.ts';
import type { WireRequest } from '../wire/wire-reply.ts';
import { formatAmzDate, parseAmzDate } from './amz-date.ts';
import { canonicalRequest, parseQuery, sha256Hex } from './canonical-request.ts';
import { incomplete, parseAuthorization, type Authorization } from './parse-authorization.ts';
import type { Principal } from './principal.ts';
import { SignatureError, signatureMismatch } from './signature-error.ts';
import { signatureOf } from './signature-of.ts';

/** How far clocks may be apart, as on AWS. */
export const CLOCK_SKEW_MS = 300_000;

export interface VerifySignedRequestContext {
  readonly clock: Clock;
  readonly findKey: FindKey;
}

/** A key as it must be to check a signature made with it. */
export interface VerifiableKey {
  readonly secretAccessKey: string;
  /**
   * The key's principal, read only after the signature was verified, so that others cannot learn
   * the key's state.
   * @throws SignatureError `credentialsExpired` or `unknownKey`
   */
  readonly principal: () => Principal;
}

/** @throws SignatureError `unknownKey`, also for another session token than the key's */
export type FindKey = (
  accessKeyId: string,
  sessionToken: string | undefined,
) => Promise<VerifiableKey>;

/**
 * Verifies the SigV4 signature of a request with an `Authorization` header, and returns its
 * principal.
 * @param scope.regions accepted regions
 * @throws SignatureError
 */
export async function verifySignedRequest(
  context: VerifySignedRequestContext,
  request: WireRequest,
  scope: { readonly service: string; readonly regions: readonly string[] },
): Promise<Principal> {
  const headerOf = headersOf(request);
  const authorization = parseAuthorization(headerOf('authorization'));
  const amzDate = headerOf('x-amz-date');
  requireTime(amzDate, context.clock.now());
  requireScope(authorization, { ...scope, amzDate });
  requireSignedHeaders(authorization, request);
  const token = headerOf('x-amz-security-token');
  const key = await context.findKey(authorization.accessKeyId, token === '' ? undefined : token);
  const expected = signatureOf(contentOf(request, { authorization, headerOf }), {
    secretAccessKey: key.secretAccessKey,
    scope: authorization.scope,
    amzDate,
  });
  if (!sameBytes(expected, authorization.signature)) throw signatureMismatch();
  return key.principal();
}

/** Headers by lower-case name; several of one name count as one list (SigV4, canonical headers). */
function headersOf({ headers }: WireRequest): (name: string) => string {
  return (name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'string' ? value : (value ?? []).join(',');
  };
}

function requireTime(amzDate: string, nowMs: number): void {
  const signedAtMs = parseAmzDate(amzDate);
  if (signedAtMs === undefined) {
    throw incomplete("Authorization header requires existence of a 'X-Amz-Date' header.");
  }
  const now = formatAmzDate(nowMs);
  if (signedAtMs > nowMs + CLOCK_SKEW_MS) {
    const latest = formatAmzDate(nowMs + CLOCK_SKEW_MS);
    throw new SignatureError(
      'notYetValid',
      `Signature not yet current: ${amzDate} is still later than ${latest} (${now} + 5 min.)`,
    );
  }
  if (signedAtMs < nowMs - CLOCK_SKEW_MS) {
    const earliest = formatAmzDate(nowMs - CLOCK_SKEW_MS);
    throw new SignatureError(
      'stale',
      `Signature expired: ${amzDate} is now earlier than ${earliest} (${now} - 5 min.)`,
    );
  }
}

function requireScope(
  { scope }: Authorization,
  wanted: {
    readonly service: string;
    readonly regions: readonly string[];
    readonly amzDate: string;
  },
): void {
  const wrong = (what: string) =>
    new SignatureError('wrongScope', `Credential should be scoped to ${what}.`);
  if (scope.service !== wanted.service) throw wrong(`correct service: '${wanted.service}'`);
  if (!wanted.regions.includes(scope.region)) throw wrong('a valid region');
  if (!wanted.amzDate.startsWith(`${scope.day}T`)) throw wrong("the day of 'X-Amz-Date'");
}

/** Unsigned headers could be changed in transit, and the target header names the operation. */
function requireSignedHeaders({ signedHeaders }: Authorization, request: WireRequest): void {
  const required = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  for (const name of ['host', ...required]) {
    if (!signedHeaders.includes(name)) {
      throw incomplete(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`);
    }
  }
}

function contentOf(
  request: WireRequest,
  input: { readonly authorization: Authorization; readonly headerOf: (name: string) => string },
): string {
  const [path = '', ...query] = request.url.split('?');
  const parameters = parseQuery(query.join('?'));
  if (parameters === undefined) throw signatureMismatch();
  const payloadHash = sha256Hex(request.body);
  const stated = input.headerOf('x-amz-content-sha256');
  if (stated !== '' && stated !== payloadHash) throw signatureMismatch();
  return canonicalRequest({
    method: request.method,
    path,
    query: parameters,
    signedHeaders: input.authorization.signedHeaders,
    headerOf: input.headerOf,
    payloadHash,
  });
}
