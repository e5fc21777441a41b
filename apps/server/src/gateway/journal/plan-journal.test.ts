import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JournalEntry } from '@deviceportal/device-protocol/journal';
import { GAP_COST, NEW_JOURNAL_COST } from './journal-quota.ts';
import { planJournal, type JournalCursor, type PlanOptions } from './plan-journal.ts';

const EPOCH = '5f0f6d3e-3a50-4b0a-9f61-0f2f5ad4ff10';
const event = (seq: number): JournalEntry => ({
  seq,
  at: '2026-11-20T10:00:00.000Z',
  kind: 'event',
  type: 'test',
  data: {},
});
const enough = { acceptGap: false, tokens: 1_000 };
const message = (from: number, to: number, oldest?: number) => ({
  epoch: EPOCH,
  ...(oldest === undefined ? {} : { oldest }),
  entries: Array.from({ length: to - from + 1 }, (_, index) => event(from + index)),
});

it('waits for entries that the device still keeps, no matter how often the later ones arrive', () => {
  const cursor = { epoch: EPOCH, upTo: 4 };
  expect(planJournal(cursor, message(8, 9, 5), { acceptGap: true, tokens: 1_000 })).toEqual({
    entries: [],
    cursor,
    gap: null,
    waits: true,
    spent: 0,
    missing: null,
  });
});

it('records a gap immediately for exactly the entries that the device no longer keeps', () => {
  const plan = planJournal({ epoch: EPOCH, upTo: 4 }, message(7, 8, 7), enough);
  expect(plan).toMatchObject({ gap: { from: 5, to: 6 }, cursor: { upTo: 8 }, waits: false });
  expect(plan.entries).toHaveLength(2);
  expect(
    planJournal({ epoch: EPOCH, upTo: 4 }, message(9, 9, 7), { ...enough, acceptGap: true }),
  ).toMatchObject({
    entries: [],
    waits: true,
  });
});

it('applies every kept entry once, for any order and repetition of messages and any quota', () => {
  const MOST = 12;
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: MOST }),
          fc.nat({ max: 4 }),
          fc.boolean(),
          fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 1_000 })),
        ),
      ),
      (arrivals) => {
        let cursor: JournalCursor = { epoch: EPOCH, upTo: 0 };
        const taken: number[] = [];
        const arrive = (from: number, to: number, options: PlanOptions): void => {
          // The device has received every acknowledgement, or none of the last few.
          const plan = planJournal(cursor, message(from, Math.min(to, MOST), 1), options);
          taken.push(...plan.entries.map(({ seq }) => seq));
          expect(plan.gap).toBeNull();
          expect(plan.spent).toBeLessThanOrEqual(options.tokens);
          cursor = plan.cursor;
        };
        for (const [from, length, acceptGap, tokens] of arrivals)
          arrive(from, from + length, { acceptGap, tokens });
        arrive(1, MOST, { acceptGap: true, tokens: 1_000 });
        expect(taken).toEqual(Array.from({ length: MOST }, (_, index) => index + 1));
      },
    ),
  );
});

it('changes nothing and returns the required tokens when the quota does not cover a gap or a new journal', () => {
  const cursor = { epoch: EPOCH, upTo: 4 };
  const poor = { acceptGap: true, tokens: 50 };
  const held = { entries: [], cursor, gap: null, waits: false, spent: 0 };
  expect(planJournal(cursor, message(7, 8, 7), poor)).toEqual({ ...held, missing: GAP_COST });
  const other = { ...message(1, 2), epoch: '5f0f6d3e-3a50-4b0a-9f61-0f2f5ad4ff11' };
  expect(planJournal(cursor, other, poor)).toEqual({ ...held, missing: NEW_JOURNAL_COST });
  // The missing entries may have been held back: there is no gap, no matter how often the later ones arrive.
  expect(planJournal(cursor, message(7, 8), poor)).toMatchObject(held);
});
