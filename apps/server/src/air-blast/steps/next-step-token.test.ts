import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNextStepTokens, type NextStepClaims } from './next-step-token.ts';

const tokens = createNextStepTokens(randomBytes(32));
const issuedAt = new Date('2026-11-20T12:00:00.000Z');
const claims: NextStepClaims = {
  runId: '0199a1b2-0000-7000-8000-000000000001',
  step: 'canary',
  operatorId: '0199a1b2-0000-7000-8000-000000000002',
  targetSha256: 'a'.repeat(64),
  revision: 1,
};

describe('a next-step token', () => {
  test('opens with its claims and expires after 300,000 ms', async () => {
    const { token, expiresAt } = await tokens.issue(claims, issuedAt);
    expect(expiresAt.getTime() - issuedAt.getTime()).toBe(300_000);
    expect(await tokens.open(token)).toEqual({ kind: 'open', claims, expiresAt });
  });

  test('is a JWE with AES-256-GCM that does not reveal its content', async () => {
    const { token } = await tokens.issue(claims, issuedAt);
    const [header = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
    });
    expect(Buffer.from(token.replaceAll('.', ''), 'base64url').toString()).not.toContain('canary');
  });

  test('is unreadable after a change of any character', async () => {
    const { token } = await tokens.issue(claims, issuedAt);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom(...'ABCDwxyz0189-_'),
        async (at, character) => {
          const changed = token.slice(0, at) + character + token.slice(at + 1);
          // The last character of a part has unused bits, so decoded bytes are compared.
          const bytes = (text: string) =>
            text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
          fc.pre(bytes(changed).join('.') !== bytes(token).join('.'));
          expect(await tokens.open(changed)).toEqual({ kind: 'unreadable' });
        },
      ),
    );
  });

  test('is unreadable if another installation issued it, or if it is any other text', async () => {
    const other = await createNextStepTokens(randomBytes(32)).issue(claims, issuedAt);
    expect(await tokens.open(other.token)).toEqual({ kind: 'unreadable' });
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await tokens.open(text)).toEqual({ kind: 'unreadable' });
      }),
    );
  });
});
