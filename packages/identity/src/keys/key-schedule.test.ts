import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedKeysAt, isRotationDue, signingKeyAt, type ScheduledKey } from './key-schedule.ts';

const OVERLAP_MS = 600_000;
const LIFE_SECONDS = 3_600;

function keyFrom(signsFromMs: number, index: number): ScheduledKey {
  return {
    kid: `key ${index}`,
    use: 'id',
    signsFrom: new Date(signsFromMs),
    longestTokenSeconds: LIFE_SECONDS,
  };
}

/** Times of rotation requests; the first key signs from the first one. */
const requests = fc
  .array(fc.integer({ min: 1, max: 2 * LIFE_SECONDS * 1_000 }), { minLength: 1, maxLength: 20 })
  .map((gaps) => gaps.reduce<number[]>((at, gap) => [...at, (at.at(-1) ?? 0) + gap], []));

function rotateAt(moments: readonly number[]): ScheduledKey[] {
  return moments.reduce<ScheduledKey[]>((keys, nowMs, index) => {
    if (!isRotationDue(keys, 'id', { nowMs, ageMs: 0 })) return keys;
    return [...keys, keyFrom(keys.length === 0 ? nowMs : nowMs + OVERLAP_MS, index)];
  }, []);
}

describe('key schedule', () => {
  it('whenever a token is issued, its key is published until the token has expired', () => {
    fc.assert(
      fc.property(requests, fc.double({ min: 0, max: 1, noNaN: true }), (moments, share) => {
        const keys = rotateAt(moments);
        const issuedMs = (moments[0] ?? 0) + share * 25 * LIFE_SECONDS * 1_000;
        const signer = signingKeyAt(keys, 'id', issuedMs);
        expect(signer).toBeDefined();
        for (const livedMs of [0, LIFE_SECONDS * 500, LIFE_SECONDS * 1_000]) {
          expect(endedKeysAt(keys, issuedMs + livedMs)).not.toContain(signer);
        }
      }),
    );
  });

  it('a server whose keys are outdated by less than the overlap signs with a published key', () => {
    fc.assert(
      fc.property(requests, fc.nat(OVERLAP_MS - 1), (moments, staleMs) => {
        const keys = rotateAt(moments);
        const last = keys.at(-1);
        const nowMs = (last?.signsFrom.getTime() ?? 0) - OVERLAP_MS + staleMs;
        const before = keys.slice(0, -1);
        if (before.length === 0) return;
        expect(signingKeyAt(before, 'id', nowMs)).toBe(signingKeyAt(keys, 'id', nowMs));
      }),
    );
  });

  it('while a key is pending, no further key is due', () => {
    const keys = [keyFrom(0, 0), keyFrom(OVERLAP_MS, 1)];
    expect(isRotationDue(keys, 'id', { nowMs: OVERLAP_MS - 1, ageMs: 0 })).toBe(false);
    expect(isRotationDue(keys, 'id', { nowMs: OVERLAP_MS, ageMs: 0 })).toBe(true);
    expect(isRotationDue(keys, 'id', { nowMs: OVERLAP_MS + 5, ageMs: 6 })).toBe(false);
  });

  it('the newest key never expires, and an old one expires only after the last token and the clock skew', () => {
    const keys = [keyFrom(0, 0), keyFrom(OVERLAP_MS, 1)];
    const lastTokenMs = OVERLAP_MS + LIFE_SECONDS * 1_000;
    expect(endedKeysAt(keys, lastTokenMs + 299_999)).toEqual([]);
    expect(endedKeysAt(keys, lastTokenMs + 300_000)).toEqual([keys[0]]);
    expect(endedKeysAt(keys, Number.MAX_SAFE_INTEGER)).toEqual([keys[0]]);
  });
});
