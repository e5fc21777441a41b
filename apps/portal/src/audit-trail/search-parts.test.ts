import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchPage } from '@deviceportal/contract/pages';
import { addPart, firstPart } from './search-parts.ts';

/** Simulates a server that examines `walk` entries per response. True is a matching entry. */
function answer(entries: readonly boolean[], { from, walk, most }: Record<string, number>) {
  const start = from ?? 0;
  const rows: number[] = [];
  let at = start;
  while (at < entries.length && at < start + (walk ?? 1) && rows.length < (most ?? 1)) {
    if (entries[at] === true) rows.push(at);
    at += 1;
  }
  const isFull = rows.length === most;
  const isOver = at >= entries.length;
  const page: SearchPage<number> = {
    rows,
    nextCursor: isOver ? null : String(at),
    complete: isFull || isOver,
    searchedTo: isFull || isOver ? null : String(at),
  };
  return page;
}

test('pages from several parts contain every matching entry once, in order, and only the last is not full', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 200 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 8 }),
      (entries, walk, pageSize) => {
        const pages: (readonly number[])[] = [];
        for (let begin: string | null = '0'; begin !== null;) {
          let parts = firstPart<number>('a page', begin);
          for (;;) {
            const part = answer(entries, { from: Number(parts.cursor), walk, most: pageSize });
            const found = addPart(parts, part, pageSize);
            if (found.next === null) {
              pages.push(found.rows);
              begin = part.nextCursor;
              break;
            }
            expect(found.searchedTo).toBe(part.nextCursor);
            parts = found.next;
          }
        }
        const fitting = entries.flatMap((fits, index) => (fits ? [index] : []));
        expect(pages.flat()).toEqual(fitting);
        for (const page of pages.slice(0, -1)) expect(page.length).toBeGreaterThanOrEqual(pageSize);
      },
    ),
  );
});

test('a page that was stopped stays stopped when its next part arrives', () => {
  const part = { rows: [1], nextCursor: '7', complete: false, searchedTo: 'then' };
  const { next } = addPart({ ...firstPart<number>('a page', null), isStopped: true }, part, 5);
  expect(next).toMatchObject({ isStopped: true, cursor: '7', searchedTo: 'then' });
});
