import { randomBytes, randomInt } from 'node:crypto';
import { insertCredential } from '../store/credential-store.ts';
import { findSessionEnd } from '../store/refresh-token-store.ts';
import type { CheckedLogin } from './check-logins.ts';
import type { IdentityContext } from './identity-context.ts';

const ACCESS_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ACCESS_KEY_RANDOM_CHARACTERS = 16;
const SECRET_KEY_BYTES = 30;
const SESSION_TOKEN_BYTES = 192;

/** The wire's spelling: `SecretKey`, and the expiration in seconds since 1970 (cognito.md, sections 1 and 6). */
export interface WireCredentials {
  readonly AccessKeyId: string;
  readonly SecretKey: string;
  readonly SessionToken: string;
  readonly Expiration: number;
}

/** Makes a key for SigV4. It ends after its lifetime, or with the session it came from. */
export async function issueCredential(
  context: IdentityContext,
  identityId: string,
  login: CheckedLogin | undefined,
): Promise<WireCredentials> {
  const nowMs = context.clock.now();
  const sessionEnd =
    login === undefined ? undefined : await findSessionEnd(context.pool, login.originJti);
  const expiresAtMs = Math.min(
    nowMs + context.settings.credentialLifetimeSeconds * 1_000,
    sessionEnd?.getTime() ?? Infinity,
  );
  const accessKeyId = newAccessKeyId();
  const secretKey = randomBytes(SECRET_KEY_BYTES).toString('base64');
  const sessionToken = randomBytes(SESSION_TOKEN_BYTES).toString('base64');
  await insertCredential(context.pool, {
    accessKeyId,
    secretBox: context.box.seal(secretKey, accessKeyId),
    sessionTokenHash: context.hash('session-token', sessionToken),
    identityId,
    sub: login?.subject ?? null,
    originJti: login?.originJti ?? null,
    createdAt: new Date(nowMs),
    expiresAt: new Date(expiresAtMs),
  });
  return {
    AccessKeyId: accessKeyId,
    SecretKey: secretKey,
    SessionToken: sessionToken,
    Expiration: expiresAtMs / 1_000,
  };
}

/** `ASIA` marks temporary keys, as on AWS. */
function newAccessKeyId(): string {
  const random = Array.from(
    { length: ACCESS_KEY_RANDOM_CHARACTERS },
    () => ACCESS_KEY_ALPHABET[randomInt(ACCESS_KEY_ALPHABET.length)],
  );
  return `ASIA${random.join('')}`;
}
