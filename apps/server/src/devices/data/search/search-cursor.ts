import { z } from 'zod';
import { deviceSorts } from '@deviceportal/contract/devices';
import { refuse } from '@deviceportal/contract/refuse';

const cursorContent = z.object({
  s: z.enum(deviceSorts),
  d: z.boolean(),
  k: z.string().max(256),
  i: z.uuid(),
  /** The previous page found fewer devices than requested, so this one gets a larger budget. */
  w: z.boolean(),
});
export type SearchCursor = z.infer<typeof cursorContent>;

export function encodeSearchCursor(cursor: SearchCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws PortalError invalidParameters if it is not a cursor of this list in this order */
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
    // All errors have the same response.
  }
  throw refuse('cursor-invalid', { field: 'cursor' });
}
