import { DEFAULT_PAGE_SIZE } from '@deviceportal/contract/constants';
import type { Preferences } from '@deviceportal/contract/session';

/** Rows per page, as the user chose for this table. */
export function pageSizeOf({ tables }: Preferences, tableId: string): number {
  return tables?.[tableId]?.pageSize ?? DEFAULT_PAGE_SIZE;
}
