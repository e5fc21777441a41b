import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createIdentityClient,
  encryptPassword,
  type IdentityClient,
} from '../../../identity-client/src/index.ts';
import { sm2 } from 'sm-crypto-v2';
import { hashPassword } from '../../src/passwords/hash-password.ts';
import { foldSurrogates } from '../../src/passwords/fold-surrogates.ts';
import { bothClients } from './support/both-clients.ts';
import { AuthenticationClient as PublicClient } from 'authing-js-sdk';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;
let own: IdentityClient;
beforeAll(async () => {
  idp = await openProvider();
  own = createIdentityClient({ appId: idp.appId, appHost: idp.host });
});
afterAll(() => idp[Symbol.asyncDispose]());

/** Any text that is a password: no lone surrogates, which no client can send as UTF-8. */
const password = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) < 200);

describe('passwords as clients send them', () => {
  it('[idp-password-1] decrypts passwords from our client', async () => {
    await fc.assert(
      fc.asyncProperty(password, async (text) => {
        expect(idp.context.passwords.open(await encryptPassword(own, text))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('[idp-password-2] decrypts passwords from the public package, including short ciphertexts and emoji', async () => {
    const { publicKeyManager, options } = new PublicClient({
      appId: idp.appId,
      appHost: idp.host,
    }) as unknown as {
      publicKeyManager: { getPublicKey(): Promise<string> };
      options: { encryptFunction(text: string, key: string): Promise<string> };
    };
    const key = await publicKeyManager.getPublicKey();
    let shortOnes = 0;
    await fc.assert(
      fc.asyncProperty(password, async (text) => {
        const sent = await options.encryptFunction(text, key);
        if (Buffer.from(sent, 'base64').length < 256) shortOnes += 1;
        expect(idp.context.passwords.open(sent)).toBe(text);
      }),
      { numRuns: 600, examples: [['p😀'], ['密码😀😀'], ['a']] },
    );
    // One in 256 begins with a zero byte: the package drops it.
    while (shortOnes === 0) {
      const sent = await options.encryptFunction('again', key);
      expect(idp.context.passwords.open(sent)).toBe('again');
      if (Buffer.from(sent, 'base64').length < 256) shortOnes += 1;
    }
  });

  it('decrypts SM2 in the order that clients use', async () => {
    const { publicKey } = idp.context.keys.passwordSm2;
    const client = createIdentityClient({
      appId: idp.appId,
      appHost: idp.host,
      encryption: { type: 'sm2', publicKey },
    });
    await fc.assert(
      fc.asyncProperty(password, async (text) => {
        const sent = await encryptPassword(client, text);
        expect(sent).toMatch(/^sm2:[0-9a-f]+$/);
        expect(idp.context.passwords.open(sent)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it('[idp-password-4] rejects every invalid ciphertext in the same way', () => {
    const foreign = sm2.doEncrypt('secret', sm2.generateKeyPairHex().publicKey, 1);
    const wrong = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.base64String({ maxLength: 360 }),
      fc.constant(randomBytes(256).toString('base64')),
      fc.constant(Buffer.alloc(256, 0xff).toString('base64')),
      fc.constant(''),
      fc.constant(`sm2:${foreign}`),
      fc.constant(`sm2:${'00'.repeat(120)}`),
      fc.constant('sm2:'),
      fc.constant('x'.repeat(10_000)),
    );
    fc.assert(
      fc.property(wrong, (sent) => {
        let opened: string | undefined;
        try {
          opened = idp.context.passwords.open(sent);
        } catch (error) {
          expect(error).toMatchObject({ refusal: { code: 2231 }, data: undefined });
        }
        // Wrong padding gives random bytes: hardly ever a text, and never one that was sent.
        if (opened !== undefined) expect(opened).not.toBe(sent);
      }),
      { numRuns: 300 },
    );
  });

  it('folding surrogates changes only surrogates', () => {
    fc.assert(
      fc.property(password, (text) => {
        expect(Buffer.from(foldSurrogates(Buffer.from(text))).toString()).toBe(text);
        expect(Buffer.from(foldSurrogates(cesu8(text))).toString()).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const hasSurrogate = Buffer.from(bytes).includes(0xed);
        if (!hasSurrogate) expect(foldSurrogates(bytes)).toEqual(bytes);
      }),
    );
  });

  it('[idp-password-6] password strength is reported, and required at registration', async () => {
    const client = bothClients[0]?.[1](idp);
    expect(await client?.checkPasswordStrength('12345')).toEqual({
      valid: false,
      message: 'Use at least 6 characters for the password',
    });
    expect(await client?.checkPasswordStrength('wx7-kq')).toMatchObject({ valid: true });
    expect(await client?.checkPasswordStrength('123456')).toEqual({
      valid: false,
      message: 'The password is easy to guess. Choose another one.',
    });
    await using strict = await openProvider({ passwordStrength: 3 });
    const strictClient = bothClients[1]?.[1](strict);
    expect(await strictClient?.checkPasswordStrength('abcdefgh1234')).toMatchObject({
      valid: false,
    });
    expect(await strictClient?.checkPasswordStrength('Abcdefgh1234')).toMatchObject({
      valid: true,
    });
  });

  it('an existing short password still works, and a new one is rejected', async () => {
    await using strict = await openProvider({ shortestPassword: 12 });
    const email = 'ada@example.com';
    const user = await strict.makeUser({ email });
    const passwordHash = await hashPassword('wx7-kq', 8);
    await strict.context.users.update(user.id, { passwordHash, passwordLevel: 1 });
    const client = bothClients[0]?.[1](strict);
    await client?.loginByEmail(email, 'wx7-kq');
    await expect(client?.updatePassword('wx8-kq', 'wx7-kq')).rejects.toMatchObject({
      code: 2230,
      message: 'Use at least 12 characters for the password',
    });
    await client?.updatePassword('three wild geese', 'wx7-kq');
    await expect(client?.loginByEmail(email, 'three wild geese')).resolves.toMatchObject({ email });
  });
});

/** Each UTF-16 unit as if it were a character of its own. */
function cesu8(text: string): Uint8Array {
  const bytes = Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) return [unit];
    if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
    return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  });
  return Uint8Array.from(bytes.flat());
}
