import { describe, expect, it } from 'vitest';
import { readChallenge, type Challenge } from './challenge.ts';

const POOL_MS = Date.UTC(2026, 10, 20, 16, 0, 0);
const iso = (afterMs: number): string => new Date(POOL_MS + afterMs).toISOString();
const parameters = {
  medium: 'email',
  destination: 'a•••@corp.example',
  codeLength: '6',
  sentAt: iso(0),
  expiresAt: iso(180_000),
  resendAfter: iso(30_000),
  attemptsLeft: '3',
};
const read = (
  from: Readonly<Record<string, string>> | undefined,
  nowMs: number,
  before?: Challenge,
): Challenge => readChallenge(from, { identifier: 'ana', codeLength: 6, nowMs, before });

describe('challenge parameters of the pool', () => {
  it.each([
    ['right', 0],
    ['four minutes ahead', 240_000],
    ['an hour behind', -3_600_000],
  ])('a code is valid for three minutes with a clock that is %s', (_clock, driftMs) => {
    const nowMs = POOL_MS + driftMs;
    expect(read(parameters, nowMs)).toMatchObject({
      sentAtMs: nowMs,
      expiresAtMs: nowMs + 180_000,
      resendAfterMs: nowMs + 30_000,
    });
  });

  it('a wrong code does not extend the validity', () => {
    const first = read(parameters, POOL_MS);
    const next = read({ ...parameters, attemptsLeft: '2' }, POOL_MS + 60_000, first);
    expect(next).toMatchObject({ expiresAtMs: first.expiresAtMs, attemptsLeft: 2 });
  });

  it('a new code has its full validity', () => {
    const first = read(parameters, POOL_MS);
    const again = { ...parameters, sentAt: iso(40_000), expiresAt: iso(220_000) };
    const nowMs = POOL_MS + 41_000;
    expect(read(again, nowMs, first)).toMatchObject({
      sentAtMs: nowMs,
      expiresAtMs: nowMs + 180_000,
    });
  });

  it('a hosted pool without parameters gets the product’s own times', () => {
    const first = read(undefined, 1_000);
    expect(first).toMatchObject({
      expiresAtMs: 181_000,
      resendAfterMs: 31_000,
      codeLength: 6,
      attemptsLeft: null,
      destination: '',
    });
    expect(read({}, 60_000, first).expiresAtMs).toBe(181_000);
  });
});
