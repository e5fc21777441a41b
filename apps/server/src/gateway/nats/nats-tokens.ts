import { sign, verify } from 'node:crypto';
import { readPublicKey, type NatsKeyType, type NatsSigner } from './nats-keys.ts';

const HEADER = encodePart({ typ: 'JWT', alg: 'ed25519-nkey' });

/** A JSON web token as NATS reads it (https://github.com/nats-io/jwt). */
export function signToken(signer: NatsSigner, claims: Readonly<Record<string, unknown>>): string {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const text = `${HEADER}.${encodePart({ iat: issuedAt, ...claims, iss: signer.name })}`;
  return `${text}.${sign(null, Buffer.from(text), signer.key).toString('base64url')}`;
}

/**
 * The claims of a token that its issuer has signed. Who the issuer is has to be decided by the caller.
 *
 * @throws Error if it is not a token, or the signature is not of that issuer
 */
export function readToken(token: string, issuerType: NatsKeyType): unknown {
  const [header = '', body = '', signature = '', ...rest] = token.split('.');
  if (header !== HEADER || rest.length > 0) throw new Error('not a token of NATS');
  const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  const { iss } = Object(claims) as { readonly iss?: unknown };
  const key = readPublicKey(typeof iss === 'string' ? iss : '', issuerType);
  const text = Buffer.from(`${header}.${body}`);
  if (!verify(null, text, key, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is wrong');
  }
  return claims;
}

function encodePart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
