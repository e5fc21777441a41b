import { randomBytes, sign } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { readPublicKey, readSeed, signerOf, writeSeed } from './nats-keys.ts';

const makers = {
  account: nkeys.createAccount,
  server: nkeys.createServer,
  user: nkeys.createUser,
} as const;
const types = ['account', 'server', 'user'] as const;

test.each(types)('a seed of type %s is read and written as the tools of NATS do', (type) => {
  const theirs = makers[type]();
  const seed = Buffer.from(theirs.getSeed()).toString();
  const ours = readSeed(seed, type);
  expect(ours.name).toBe(theirs.getPublicKey());
  const text = Buffer.from('signed');
  expect(theirs.verify(text, sign(null, text, ours.key))).toBe(true);

  const secret = randomBytes(32);
  const written = nkeys.fromSeed(Buffer.from(writeSeed(secret, type)));
  expect(written.getPublicKey()).toBe(signerOf(secret, type).name);
});

test.each([
  ['of another type', writeSeed(new Uint8Array(32), 'user'), /type account/],
  ['with a wrong letter', writeSeed(new Uint8Array(32), 'account').replace('A', 'B'), /checksum/],
  ['that is a public key', signerOf(new Uint8Array(32), 'account').name, /type account/],
  ['that is not Base32', '-----BEGIN PRIVATE KEY-----', /Base32/],
  ['that is empty', '', /checksum/],
])('a seed %s is refused', (_case, seed, reason) => {
  expect(() => readSeed(seed, 'account')).toThrow(reason);
});

test('a public key of another type is refused', () => {
  const { name } = signerOf(randomBytes(32), 'user');
  expect(() => readPublicKey(name, 'server')).toThrow(/type server/);
});
