import type { Clock } from '../../clock.ts';
import { authorize } from '../roles/authorize.ts';
import { READ_REPORT_FILE } from '../roles/builtin-roles.ts';
import { partitionOf, type PoolNames } from '../roles/role-arn.ts';
import type { Roles } from '../roles/role.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { sameBytes, type SecretHash } from '../../secrets/secret-hash.ts';
import { findCredentialInUse, type CredentialInUse } from '../identity-pool/credential-store.ts';
import type { Queryable } from '../../database/in-transaction.ts';
import { canonicalRequest, sha256Hex } from './canonical-request.ts';
import { principalOfCredential } from './find-key.ts';
import { parseSignedUrl, type SignedUrl, type SignedUrlRequest } from './parse-signed-url.ts';
import { signatureOf } from './signature-of.ts';
import { SignedUrlError } from './signed-url-error.ts';
import { CLOCK_SKEW_MS } from './verify-signed-request.ts';

/**
 * Purpose of a signed URL: the service in the signature, and the action that the role must allow.
 */
export interface SignedUrlUse {
  readonly service: string;
  readonly acceptsPath: (path: string) => boolean;
  readonly action: string;
  /** `*`, or what the ARN of the resource ends in. */
  readonly resourceOf: (viewer: { readonly identityId: string; readonly path: string }) => string;
}

/** The live channel: MQTT over WebSocket. */
export const LIVE_CHANNEL: SignedUrlUse = {
  service: 'iotdevicegateway',
  acceptsPath: (path) => path === '/mqtt',
  action: 'iot:Connect',
  resourceOf: ({ identityId }) => `iot:client/${identityId}`,
};

/** A file made for a person: an export, a report, what a command collected. */
export const REPORT_FILE: SignedUrlUse = {
  service: 'deviceportal',
  acceptsPath: (path) => path.startsWith('/exports/') || path.startsWith('/artefacts/'),
  action: READ_REPORT_FILE,
  resourceOf: ({ path }) => `deviceportal:file${path}`,
};

/** Viewer of a signed URL. */
export interface SignedUrlViewer {
  readonly identityId: string;
  readonly username: string;
  readonly sub: string;
  /** Groups of this moment; of a person of another provider those of their login. */
  readonly groups: readonly string[];
  /** The sign-in that the credentials came from: what ends with it must end with this id. Null: at another provider. */
  readonly originJti: string | null;
  /** When the credentials end; an open connection must end then too. */
  readonly expiresAt: Date;
}

export interface VerifySignedUrlContext {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly roles: Roles;
  readonly settings: PoolNames;
}

/**
 * Checks the SigV4 signature of a URL, whose it is, and whether the credential that signed it may still do this.
 * @throws SignedUrlError for everything that is not a valid URL of a person who is signed in
 */
export async function verifySignedUrl(
  context: VerifySignedUrlContext,
  request: SignedUrlRequest,
  use: SignedUrlUse,
): Promise<SignedUrlViewer> {
  const signed = parseSignedUrl(request);
  requireScope(signed, use, context.settings.region);
  requireTime(signed, context.clock.now());
  const credential = await findCredentialInUse(context.db, signed.accessKeyId);
  if (credential === undefined) {
    throw new SignedUrlError('unknownKey', 'The access key is unknown.');
  }
  const tokenHash = context.hash('session-token', signed.sessionToken);
  if (!sameBytes(tokenHash, credential.sessionTokenHash)) throw signatureMismatch();
  requireSignature(signed, context.box.open(credential.secretBox, signed.accessKeyId));
  const nowMs = context.clock.now();
  const viewer = requireViewer(credential, nowMs);
  const { region, accountId } = context.settings;
  const [service = '', ...rest] = use.resourceOf({ ...viewer, path: signed.path }).split(':');
  const decision = authorize(
    principalOfCredential(context, credential),
    {
      action: use.action,
      resource: `arn:${partitionOf(region)}:${service}:${region}:${accountId}:${rest.join(':')}`,
      facts: { nowMs, address: request.address ?? '' },
    },
    context.settings,
  );
  if (decision !== 'allowed') {
    throw new SignedUrlError(
      'notAllowed',
      `The role of these credentials does not allow ${use.action}.`,
    );
  }
  return viewer;
}

function requireScope(signed: SignedUrl, use: SignedUrlUse, region: string): void {
  const { scope, path } = signed;
  if (!use.acceptsPath(path) || scope.service !== use.service || scope.region !== region) {
    throw new SignedUrlError(
      'malformed',
      `A URL with this path must be signed for ${use.service} in ${region}.`,
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
function requireSignature(signed: SignedUrl, secretAccessKey: string): void {
  const withoutToken = signed.query.filter(([name]) => name !== 'X-Amz-Security-Token');
  for (const query of [signed.query, withoutToken]) {
    const canonical = canonicalRequest({
      method: 'GET',
      path: signed.path,
      query,
      signedHeaders: ['host'],
      headerOf: () => signed.host,
      payloadHash: sha256Hex(''),
    });
    if (sameBytes(signatureOf(canonical, { ...signed, secretAccessKey }), signed.signature)) return;
  }
  throw signatureMismatch();
}

function requireViewer(credential: CredentialInUse, nowMs: number): SignedUrlViewer {
  const { sub, username, originJti, expiresAt } = credential;
  if (expiresAt.getTime() <= nowMs) {
    throw new SignedUrlError('credentialsExpired', 'The credentials have expired.');
  }
  const { identityId } = credential;
  if (sub === null || username === null || identityId === null) {
    throw new SignedUrlError('guest', 'Guests cannot connect.');
  }
  if (credential.enabled !== true) {
    throw new SignedUrlError('userDisabled', 'The user is disabled.');
  }
  if (credential.revoked) throw new SignedUrlError('signedOut', 'The user has signed out.');
  return {
    identityId,
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
