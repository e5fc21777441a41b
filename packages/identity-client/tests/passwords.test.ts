import {
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  verify,
  constants,
  publicEncrypt,
} from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  createIdentityClient,
  createMemoryStorage,
  DEFAULT_EXPONENT,
  DEFAULT_KEY_BITS,
  decryptRsa,
  encryptPassword,
  encryptRsa,
  generateRsaKeys,
  signRsa,
  verifyRsa,
  type RsaKeys,
} from '../src/index.ts';
import { openPassword, providerKeys } from './support/provider-keys.ts';

let keys: RsaKeys;
beforeAll(async () => {
  keys = await generateRsaKeys();
});

test('generates keys of 1024 bits with the exponent 010001', () => {
  const jwk = createPublicKey(keys.publicKey).export({ format: 'jwk' });
  expect(Buffer.from(jwk.e ?? '', 'base64url').toString('hex')).toBe(DEFAULT_EXPONENT);
  expect(Buffer.from(jwk.n ?? '', 'base64url')).toHaveLength(DEFAULT_KEY_BITS / 8);
});

test('encrypts and decrypts in OpenSSL’s format', () => {
  const padding = constants.RSA_PKCS1_PADDING;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 29 }), (text) => {
      const ours = Buffer.from(encryptRsa(text, keys.publicKey), 'base64');
      expect(privateDecrypt({ key: keys.privateKey, padding }, ours).toString('utf8')).toBe(
        Buffer.from(text).toString('utf8'),
      );
      const theirs = publicEncrypt({ key: keys.publicKey, padding }, Buffer.from(text));
      expect(decryptRsa(theirs.toString('base64'), keys.privateKey)).toBe(
        Buffer.from(text).toString('utf8'),
      );
    }),
    { numRuns: 60 },
  );
});

test('reads the same key from PEM, base64, and hexadecimal', () => {
  const der = createPublicKey(keys.publicKey).export({ type: 'spki', format: 'der' });
  const forms = [
    der.toString('base64'),
    der.toString('hex'),
    keys.publicKey.replaceAll('\n', '\r\n'),
  ];
  for (const form of forms)
    expect(decryptRsa(encryptRsa('p😀', form), keys.privateKey)).toBe('p😀');
});

test('rejects a text whose bytes, not characters, exceed the key’s capacity', () => {
  expect(() => encryptRsa('é'.repeat(59), keys.publicKey)).toThrow('Message too long for RSA');
  expect(encryptRsa('p'.repeat(117), keys.publicKey)).toHaveLength(172);
});

test('rejects every ciphertext with invalid padding with the same error', () => {
  const broken = Buffer.alloc(128, 1).toString('base64');
  for (const text of [broken, '', '***']) {
    expect(() => decryptRsa(text, keys.privateKey)).toThrow('Malformed RSA padding');
  }
});

test('creates signatures that OpenSSL verifies, and rejects a key that is too small for the digest', async () => {
  const signature = await signRsa('hello', keys.privateKey);
  const isGood = verify(
    'sha256',
    Buffer.from('hello'),
    keys.publicKey,
    Buffer.from(signature, 'base64'),
  );
  expect([isGood, await verifyRsa('hello', signature, keys.publicKey)]).toEqual([true, true]);
  expect(await verifyRsa('other', signature, keys.publicKey)).toBe(false);
  const pkcs1 = createPrivateKey(keys.privateKey).export({ type: 'pkcs1', format: 'pem' });
  expect(await signRsa('hello', pkcs1.toString())).toBe(signature);
  const small = await generateRsaKeys(512);
  await expect(signRsa('hello', small.privateKey, 'SHA-512')).rejects.toThrow(
    'Message too long for RSA',
  );
});

test('rejects SM2 without a valid key, and encrypts so that an independent implementation decrypts', async () => {
  const make = (publicKey: string) =>
    createIdentityClient({
      encryption: { type: 'sm2', publicKey },
      storage: createMemoryStorage(),
    });
  await expect(encryptPassword(make(''), 'x')).rejects.toThrow('未配置: encryption.publicKey');
  await expect(encryptPassword(make('02ab'), 'x')).rejects.toMatchObject({ code: 'NOT_ENCRYPTED' });
  const sealed = await encryptPassword(make(providerKeys.sm2Public), '密码 p😀');
  expect(sealed).toMatch(/^sm2:[0-9a-f]+$/);
  expect(openPassword(sealed)).toBe('<SM2:密码 p😀>');
});
