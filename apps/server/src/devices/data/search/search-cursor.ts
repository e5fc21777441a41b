import { z } from 'zod';
import { deviceSorts } from '@deviceportal/contract/devices';
import { refuse } from '@deviceportal/contract/refuse';

const cursorContent = z.object({
  s: z.enum(deviceSorts),
  d: z.boolean(),
  k: z.string().max(256),
  i: z.uuid(),
  /** The page before found less than it was asked for: this one may take its time. */
  w: z.boolean(),
});
export type SearchCursor = z.infer<typeof cursorContent>;

export function encodeSearchCursor(cursor: SearchCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws PortalError invalidParameters when it is not a cursor of this list in this order */
export function decodeSearchCursor(
  text: string,
  order: { readonly sort: string; readonly descending: boolean },
): SearchCursor {
  try {
    const cursor = cursorContent.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    const momentFits =
      cursor.s !== 'lastSeen' ||
      /^(-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.+:-]*)$/.test(cursor.k);
    if (cursor.s === order.sort && cursor.d === order.descending && momentFits) return cursor;
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw refuse('cursor-invalid', { field: 'cursor' });
}
