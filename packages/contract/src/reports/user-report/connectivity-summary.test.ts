import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharesOfKnownTime, summarizeConnectivity } from './connectivity-summary.ts';
import type { StripPiece, StripState } from './user-report-document.ts';

const START_MS = Date.parse('2026-11-01T00:00:00Z');

/** Consecutive pieces of these lengths. */
function piecesOf(lengths: readonly (readonly [StripState, number])[]): StripPiece[] {
  let ms = START_MS;
  return lengths.map(([state, length]) => {
    const from = new Date(ms).toISOString();
    ms += length;
    return { from, to: new Date(ms).toISOString(), state };
  });
}

const state = fc.constantFrom<StripState>('online', 'degraded', 'offline', 'unknown');
const someLengths = fc.array(fc.tuple(state, fc.integer({ min: 0, max: 10_000_000 })));

describe('connectivity figures', () => {
  it('are of the known time, and time without data is not counted as online', () => {
    const summary = summarizeConnectivity(
      piecesOf([
        ['unknown', 21 * 60_000],
        ['online', 11 * 60_000],
        ['degraded', 11 * 60_000],
      ]),
    );
    expect(summary).toMatchObject({ knownMs: 22 * 60_000, totalMs: 43 * 60_000, disconnects: 0 });
    expect(sharesOfKnownTime(summary)).toEqual([
      { state: 'online', tenths: 500 },
      { state: 'degraded', tenths: 500 },
    ]);
  });

  it('add up to 100%, and show each state that occurred', () => {
    fc.assert(
      fc.property(someLengths, (lengths) => {
        const summary = summarizeConnectivity(piecesOf(lengths));
        const shares = sharesOfKnownTime(summary);
        const sum = shares.reduce((total, { tenths }) => total + tenths, 0);
        expect(sum).toBe(summary.knownMs === 0 ? 0 : 1_000);
        for (const { tenths } of shares) expect(tenths).toBeGreaterThan(0);
        expect(shares.some((share) => share.state === 'offline')).toBe(summary.offlineMs > 0);
      }),
    );
  });

  it('count an outage at the beginning of the time range as one that began before it', () => {
    const { disconnects } = summarizeConnectivity(
      piecesOf([
        ['offline', 1_000],
        ['online', 1_000],
        ['offline', 0],
        ['online', 1_000],
      ]),
    );
    expect(disconnects).toBe(1);
  });
});
