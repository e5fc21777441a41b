import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from './ids.ts';

const sorted = (ids: readonly string[]): string[] => ids.toSorted();
const millisecondsOf = (id: string): number =>
  Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('ids', () => {
  it('sort in creation order, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId());
    expect(ids).toEqual(sorted(ids));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort in creation order after the clock was set back, and contain a requested time', () => {
    const backMs = fc.integer({ min: 2_000, max: 1_000_000_000 });
    const count = fc.integer({ min: 2, max: 50 });
    fc.assert(
      fc.property(backMs, count, (back, length) => {
        const pastMs = Date.now() - back;
        newId();
        const ids = Array.from({ length }, () => newId(pastMs));
        expect(ids).toEqual(sorted(ids));
        expect(ids.map(millisecondsOf)).toEqual(ids.map(() => pastMs));
      }),
    );
  });
});
