import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../clock.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';
import { findCredentialInUse, type CredentialInUse } from '../store/credential-store.ts';
import type { Queryable } from '../store/in-transaction.ts';
import { parseSignedUrl, type SignedUrl, type SignedUrlRequest } from './parse-signed-url.ts';
import { SignedUrlError } from './signed-url-error.ts';

const SERVICE = 'iotdevicegateway';
const PATH = '/mqtt';
/** How far a browser's clock may run ahead of ours, as on AWS. */
const CLOCK_SKEW_MS = 300_000;

/** Whom a signed URL speaks for. */
export interface SignedUrlViewer {
  readonly identityId: string;
  readonly username: string;
  readonly sub: string;
  /** Groups of this moment. */
  readonly groups: readonly string[];
  /** The sign-in that the credentials came from: what ends with it must end with this id. */
  readonly originJti: string;
  /** When the credentials end; an open connection must end then too. */
  readonly expiresAt: Date;
}

export interface VerifySignedUrlContext {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly region: string;
}

/**
 * Checks the SigV4 signature of a WebSocket request (service `iotdevicegateway`, path `/mqtt`) and whose it is.
 * @throws SignedUrlError for everything that is not a valid URL of a person who is signed in
 */
export async function verifySignedUrl(
  context: VerifySignedUrlContext,
  request: SignedUrlRequest,
): Promise<SignedUrlViewer> {
  const signed = parseSignedUrl(request);
  requireScope(signed, context.region);
  requireTime(signed, context.clock.now());
  const credential = await findCredentialInUse(context.db, signed.accessKeyId);
  if (credential === undefined) {
    throw new SignedUrlError('unknownKey', 'The access key is not known.');
  }
  const tokenHash = context.hash('session-token', signed.sessionToken);
  if (!sameBytes(tokenHash, credential.sessionTokenHash)) throw signatureMismatch();
  await requireSignature(signed, context.box.open(credential.secretBox, signed.accessKeyId));
  return requireViewer(credential, context.clock.now());
}

function requireScope(signed: SignedUrl, region: string): void {
  if (signed.path !== PATH || signed.service !== SERVICE || signed.region !== region) {
    throw new SignedUrlError(
      'malformed',
      `The URL must be signed for ${SERVICE} in ${region}, path ${PATH}.`,
    );
  }
}

function requireTime(signed: SignedUrl, nowMs: number): void {
  if (signed.signedAtMs > nowMs + CLOCK_SKEW_MS) {
    throw new SignedUrlError('notYetValid', 'The URL was signed in the future.');
  }
  if (signed.signedAtMs + signed.lifetimeSeconds * 1_000 <= nowMs) {
    throw new SignedUrlError('expired', 'The URL has expired.');
  }
}

/** The session token may be covered by the signature, or appended after signing (the form of AWS IoT). */
async function requireSignature(signed: SignedUrl, secretAccessKey: string): Promise<void> {
  const given = Buffer.from(signed.signature, 'hex');
  for (const sessionToken of [signed.sessionToken, undefined]) {
    const expected = await signatureOf(signed, { secretAccessKey, sessionToken });
    if (sameBytes(Buffer.from(expected, 'hex'), given)) return;
  }
  throw signatureMismatch();
}

async function signatureOf(
  signed: SignedUrl,
  key: { readonly secretAccessKey: string; readonly sessionToken: string | undefined },
): Promise<string> {
  const signer = new SignatureV4({
    service: signed.service,
    region: signed.region,
    sha256: Sha256,
    credentials: {
      accessKeyId: signed.accessKeyId,
      secretAccessKey: key.secretAccessKey,
      ...(key.sessionToken !== undefined && { sessionToken: key.sessionToken }),
    },
  });
  const request = new HttpRequest({
    method: 'GET',
    protocol: 'wss:',
    hostname: signed.host,
    path: signed.path,
    query: { ...signed.query },
    headers: { host: signed.host },
  });
  const resigned = await signer.presign(request, {
    signingDate: new Date(signed.signedAtMs),
    expiresIn: signed.lifetimeSeconds,
  });
  return String(resigned.query?.['X-Amz-Signature']);
}

function requireViewer(credential: CredentialInUse, nowMs: number): SignedUrlViewer {
  const { sub, username, originJti, expiresAt } = credential;
  if (expiresAt.getTime() <= nowMs) {
    throw new SignedUrlError('credentialsExpired', 'The credentials have expired.');
  }
  if (sub === null || username === null || originJti === null) {
    throw new SignedUrlError('guest', 'Guests may not connect.');
  }
  if (credential.enabled !== true) {
    throw new SignedUrlError('userDisabled', 'The user is disabled.');
  }
  if (credential.revoked) throw new SignedUrlError('signedOut', 'The user has signed out.');
  return {
    identityId: credential.identityId,
    username,
    sub,
    groups: credential.groups,
    originJti,
    expiresAt,
  };
}

function signatureMismatch(): SignedUrlError {
  return new SignedUrlError('signatureMismatch', 'The signature does not match.');
}
