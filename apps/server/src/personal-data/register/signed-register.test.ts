import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { createFileSecrets } from '../../platform/secrets/file-secret-engine.ts';
import {
  openSigningKeyRing,
  type RotatingKeyRing,
} from '../../platform/secrets/signing-key-ring.ts';
import type { ErasureRegister } from './erasure-register.ts';
import { parseRegister, signRegister } from './signed-register.ts';

const at = '2026-01-02T03:04:05.000Z';
const now = new Date(at);
let folder = '';
let ring: RotatingKeyRing;
let register: ErasureRegister;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'register-'));
  ring = await openRing('own');
  register = {
    users: [{ id: newId(), at }],
    customers: [{ id: newId(), at }],
    keys: [{ id: newId(), at, fingerprint: 'f' }],
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const openRing = (name: string): Promise<RotatingKeyRing> =>
  openSigningKeyRing({ store: createFileSecrets(join(folder, name)), name: 'audit', now });

const isOf = (keyIds: readonly string[]) => (key: { readonly keyId: string }) =>
  keyIds.includes(key.keyId);

test('a signed register is read unchanged', async () => {
  const signed = parseRegister(await signRegister(register, ring), 'file');
  signed.requireTrusted(isOf([ring.current.keyId]));
  expect(signed.register).toEqual(register);
});

test.each(['users', 'customers', 'keys'] as const)(
  'a register from which one of its %s was removed is refused',
  async (part) => {
    const text = (await signRegister(register, ring)).toString();
    const changed = JSON.stringify({ ...(JSON.parse(text) as object), [part]: [] });
    const signed = parseRegister(Buffer.from(changed), 'file');
    expect(() => signed.requireTrusted(isOf([ring.current.keyId]))).toThrow('was changed');
  },
);

test('a register of another installation is rejected, whatever keys it contains', async () => {
  const other = await openRing('other');
  const signed = parseRegister(await signRegister(register, other), 'file');
  expect(() => signed.requireTrusted(isOf([ring.current.keyId]))).toThrow('another installation');
});

test('a key that a trusted key endorsed is trusted', async () => {
  const before = ring.current.keyId;
  await ring.prepare(now);
  await ring.promote(now);
  const signed = parseRegister(await signRegister(register, ring), 'file');
  expect(() => signed.requireTrusted(isOf([before]))).not.toThrow();
});

test.each([
  ['an empty file', ''],
  ['a register without a signature', '{"version":1,"users":[],"customers":[],"keys":[]}'],
])('%s is rejected', (_name, text) => {
  expect(() => parseRegister(Buffer.from(text), 'file')).toThrow('is not a complete register');
});
