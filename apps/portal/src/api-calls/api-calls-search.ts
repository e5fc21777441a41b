import { listSearchDefaults, listSearchFields, timeRangeField } from '../ui/list-search.ts';
import { searchSchema, textField } from '../ui/search-schema.ts';

export const apiCallsSearch = searchSchema({
  ...listSearchFields,
  t: timeRangeField,
  tab: textField(16),
  /** Time range of the summary: `60m` or `24h`. */
  sum: textField(8),
});
export const apiCallsDefaults = { ...listSearchDefaults, t: '', tab: '', sum: '' } as const;
