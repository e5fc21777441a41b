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

test('[sdk-8] new keys have 1024 bits and the exponent 010001, as independent programs read them', () => {
  const jwk = createPublicKey(keys.publicKey).export({ format: 'jwk' });
  expect(Buffer.from(jwk.e ?? '', 'base64url').toString('hex')).toBe(DEFAULT_EXPONENT);
  expect(Buffer.from(jwk.n ?? '', 'base64url')).toHaveLength(DEFAULT_KEY_BITS / 8);
});

test('[sdk-8] what we encrypt, OpenSSL opens; what OpenSSL encrypts, we open', () => {
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

test('[sdk-8] a key as PEM, base64 or hexadecimal is the same key', () => {
  const der = createPublicKey(keys.publicKey).export({ type: 'spki', format: 'der' });
  const forms = [
    der.toString('base64'),
    der.toString('hex'),
    keys.publicKey.replaceAll('\n', '\r\n'),
  ];
  for (const form of forms)
    expect(decryptRsa(encryptRsa('p😀', form), keys.privateKey)).toBe('p😀');
});

test('[sdk-8] too long by bytes, not by letters, is refused', () => {
  expect(() => encryptRsa('é'.repeat(59), keys.publicKey)).toThrow('Message too long for RSA');
  expect(encryptRsa('p'.repeat(117), keys.publicKey)).toHaveLength(172);
});

test('[sdk-8] a cipher text with broken padding is refused, always in the same words', () => {
  const broken = Buffer.alloc(128, 1).toString('base64');
  for (const text of [broken, '', '***']) {
    expect(() => decryptRsa(text, keys.privateKey)).toThrow('Malformed RSA padding');
  }
});

test('[sdk-8] OpenSSL believes our signature, and a key too small for the digest is refused', async () => {
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

test('[sdk-9] SM2 without a usable key is refused; with one, an independent program opens the password', async () => {
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
