import { sm2 } from 'sm-crypto-v2';
import { expect, it } from 'vitest';
import { makeSm2PrivateKey, sm2PublicKeyOf } from './sm2-pair.ts';

function makePair() {
  const privateKey = makeSm2PrivateKey();
  return { privateKey, publicKey: sm2PublicKeyOf(privateKey) };
}

it('what clients encrypt with the public half is opened with the private one', () => {
  for (let round = 0; round < 5; round += 1) {
    const { privateKey, publicKey } = makePair();
    expect(sm2.doDecrypt(sm2.doEncrypt('密码 1', publicKey, 1), privateKey, 1)).toBe('密码 1');
  }
});

it('every half has its whole length, with zeros in front where it begins with them', () => {
  const pairs = Array.from({ length: 1_500 }, makePair);
  expect(pairs.filter(({ privateKey }) => !/^[0-9a-f]{64}$/.test(privateKey))).toEqual([]);
  expect(pairs.filter(({ publicKey }) => !/^04[0-9a-f]{128}$/.test(publicKey))).toEqual([]);
});
