import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { qrTransitions, QrState, shownQrState, type QrEvent } from './qr-state.ts';

const events = Object.keys(qrTransitions) as QrEvent[];
const ends: readonly QrState[] = [
  QrState.authorized,
  QrState.cancelled,
  QrState.secondStep,
  QrState.failed,
];

function run(sequence: readonly QrEvent[]): QrState {
  return sequence.reduce<QrState>((state, event) => {
    const { from, to } = qrTransitions[event];
    return (from as readonly QrState[]).includes(state) ? to : state;
  }, QrState.waiting);
}

it('for any order of events, the first final state stays, and none comes before a scan', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events)), (sequence) => {
      const scannedAt = sequence.indexOf('scan');
      const firstEnd = sequence.findIndex(
        (event, index) => event !== 'scan' && scannedAt >= 0 && index > scannedAt,
      );
      const reached = run(sequence);
      if (scannedAt < 0) expect(reached).toBe(QrState.waiting);
      else if (firstEnd < 0) expect(reached).toBe(QrState.scanned);
      else expect(reached).toBe(run(sequence.slice(0, firstEnd + 1)));
      expect(ends.includes(reached)).toBe(firstEnd >= 0);
    }),
  );
});

it('an expired or used code is expired in every state', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 2, 3, 4, 5), fc.integer({ min: 0 }), (status, ageMs) => {
      const now = new Date(ageMs);
      const expired = { status, expiresAt: now, exchangedAt: null };
      expect(shownQrState(expired, now)).toBe(QrState.expired);
      const used = { status, expiresAt: new Date(ageMs + 1), exchangedAt: now };
      expect(shownQrState(used, now)).toBe(QrState.expired);
      expect(shownQrState({ ...used, exchangedAt: null }, now)).toBe(status);
    }),
  );
});
