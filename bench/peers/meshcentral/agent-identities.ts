import 'reflect-metadata';
import { createPrivateKey, generateKeyPairSync, webcrypto, type KeyObject } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

export interface AgentIdentity {
  readonly name: string;
  readonly key: KeyObject;
  /** DER. */
  readonly certificate: Buffer;
}

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' };
const BITS = 3_072;
const FIRST_EXPONENT = 65_537n;

/**
 * RSA keys as agents have them. A key of its own for each agent would take a second each, so they share their primes and
 * have different public exponents of 17 bits, which cost the server the same.
 */
export async function createIdentities(count: number): Promise<AgentIdentity[]> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS });
  const { n = '', p: first = '', q: second = '', qi = '' } = privateKey.export({ format: 'jwk' });
  const [p, q] = [toInteger(first), toInteger(second)];
  const phi = (p - 1n) * (q - 1n);
  const identities: AgentIdentity[] = [];
  for (let e = FIRST_EXPONENT; identities.length < count; e += 2n) {
    const d = inverse(e, phi);
    if (d === undefined) continue;
    const jwk = {
      ...{ kty: 'RSA', n, p: first, q: second, qi },
      ...{ e: toText(e), d: toText(d), dp: toText(d % (p - 1n)), dq: toText(d % (q - 1n)) },
    };
    const name = `agent-${String(identities.length + 1).padStart(5, '0')}`;
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    identities.push({ name, key, certificate: await certify(name, jwk) });
  }
  return identities;
}

async function certify(name: string, jwk: webcrypto.JsonWebKey): Promise<Buffer> {
  const { kty = '', n = '', e = '' } = jwk;
  const { subtle } = webcrypto;
  const keys = {
    privateKey: await subtle.importKey('jwk', jwk, ALGORITHM, true, ['sign']),
    publicKey: await subtle.importKey('jwk', { kty, n, e }, ALGORITHM, true, ['verify']),
  };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ name: `CN=${name}`, keys, signingAlgorithm: ALGORITHM },
    notAfter: new Date(Date.now() + 90 * 86_400_000),
  });
  return Buffer.from(certificate.rawData);
}

const toInteger = (text: string): bigint =>
  BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);

function toText(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** By the extended Euclidean algorithm; undefined if they have a common divisor. */
function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [divisor, rest] = [modulus, value];
  let [before, factor] = [0n, 1n];
  while (rest !== 0n) {
    const quotient = divisor / rest;
    [divisor, rest] = [rest, divisor - quotient * rest];
    [before, factor] = [factor, before - quotient * factor];
  }
  return divisor === 1n ? ((before % modulus) + modulus) % modulus : undefined;
}
