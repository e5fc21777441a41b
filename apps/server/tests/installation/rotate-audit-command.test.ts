import { execFile } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditSignerOf } from '../../src/audit-trail/audit-signer.ts';
import { AuditRotationFixture } from '../support/audit/audit-rotation-fixture.ts';
import { programEnv } from '../support/programs/program-env.ts';
import { commandFile } from '../support/programs/program-files.ts';

const command = commandFile('admin');
let setup: AuditRotationFixture;
beforeEach(async () => {
  setup = await AuditRotationFixture.open();
});
afterEach(() => setup[Symbol.asyncDispose]());

function rotate(...words: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...programEnv, DEVICEPORTAL_DATABASE_URL: setup.test.url };
    const args = [command, 'rotate', 'audit', ...words, '--data-dir', setup.dataDir];
    const child = execFile(process.execPath, args, { env }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, output: out + errors }),
    );
  });
}

const signer = () => auditSignerOf(setup.secrets.signingKeys('audit'));

test('rotates the key while a server runs, and prints the key to pin', async () => {
  const before = signer().keyId;
  const { code, output } = await rotate();
  expect({ code, output }).toMatchObject({ code: 0 });
  await setup.seal();
  expect(signer().keyId).not.toBe(before);
  expect(output).toContain(signer().publicKey.toString('base64url'));
  expect(await setup.signers()).toEqual([before, signer().keyId]);
  expect(await setup.verify()).toMatchObject({ broken: null });
});

test('replaces a stolen key immediately and prints the last block for which it is valid', async () => {
  const before = signer().keyId;
  const { code, output } = await rotate('--now');
  expect(output).toMatch(/valid up to block 1 \([0-9a-f]{64}\)/);
  expect(code).toBe(0);
  await setup.secrets.signingKeys('audit').refresh();
  await setup.seal();
  expect(await setup.signers()).toEqual([before, signer().keyId]);
  expect(await setup.verify()).toMatchObject({ broken: null });
});
