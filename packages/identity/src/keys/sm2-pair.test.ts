import { sm2 } from 'sm-crypto-v2';
import { expect, it } from 'vitest';
import { makeSm2PrivateKey, sm2PublicKeyOf } from './sm2-pair.ts';

function makePair() {
  const privateKey = makeSm2PrivateKey();
  return { privateKey, publicKey: sm2PublicKeyOf(privateKey) };
}

it('decrypts with the private key what clients encrypt with the public key', () => {
  for (let round = 0; round < 5; round += 1) {
    const { privateKey, publicKey } = makePair();
    expect(sm2.doDecrypt(sm2.doEncrypt('密码 1', publicKey, 1), privateKey, 1)).toBe('密码 1');
  }
});

it('every key has its full length, padded with leading zeros', () => {
  const pairs = Array.from({ length: 1_500 }, makePair);
  expect(pairs.filter(({ privateKey }) => !/^[0-9a-f]{64}$/.test(privateKey))).toEqual([]);
  expect(pairs.filter(({ publicKey }) => !/^04[0-9a-f]{128}$/.test(publicKey))).toEqual([]);
});
