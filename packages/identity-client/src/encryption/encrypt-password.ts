import { malformed } from '../core/call-rest.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';
import { localError, report } from '../core/report.ts';
import { asRecord } from '../core/send.ts';

/** Encrypts a password with the provider's RSA key, or with SM2 if configured. */
export async function encryptPassword(
  client: IdentityClient,
  password: string,
  { signal }: CallOptions = {},
): Promise<string> {
  const { encryptFunction, encryption } = client.options;
  if (encryptFunction) {
    return encryptFunction(password, await getPasswordKey(client), encryption);
  }
  if (encryption?.type === 'sm2') return encryptBySm2(client, password);
  const key = await getPasswordKey(client);
  signal?.throwIfAborted();
  const { encryptRsa } = await import('./rsa/encrypt-rsa.ts');
  return locally(client, () => encryptRsa(password, key));
}

/**
 * Returns the provider's public key for passwords. All callers share one request. A failed request
 * is retried by the next call.
 */
export function getPasswordKey(client: IdentityClient): Promise<string> {
  if (client.options.publicKey !== undefined) return Promise.resolve(client.options.publicKey);
  client.passwordKey ??= fetchPasswordKey(client).catch((error: unknown) => {
    client.passwordKey = undefined;
    throw error;
  });
  return client.passwordKey;
}

async function fetchPasswordKey(client: IdentityClient): Promise<string> {
  const reply = await client.rest({ method: 'GET', path: '/api/v2/.well-known' });
  const { publicKey } = asRecord(reply);
  if (typeof publicKey !== 'string') throw report(client, malformed(client));
  return publicKey;
}

async function encryptBySm2(client: IdentityClient, password: string): Promise<string> {
  const key = client.options.encryption?.publicKey;
  if (key === undefined || key === '') {
    throw localError(client, 'CONFIGURATION', {
      zh: '未配置: encryption.publicKey',
      en: 'Not configured: encryption.publicKey',
    });
  }
  const { encryptSm2 } = await import('./encrypt-sm2.ts');
  return locally(client, () => encryptSm2(password, key));
}

/** Converts the error of an invalid key or an oversized password to an {@link IdentityError}. */
function locally(client: IdentityClient, encrypt: () => string): string {
  try {
    return encrypt();
  } catch (cause) {
    if (cause instanceof IdentityError) throw cause;
    const sentence = { zh: '无法用该公钥加密密码', en: 'The password cannot be encrypted' };
    throw localError(client, 'NOT_ENCRYPTED', sentence, { cause });
  }
}
