import { listSearchDefaults, listSearchFields, timeRangeField } from '../shell/list-search.ts';
import { searchSchema, textField } from '../shell/search-schema.ts';

/** `device`, `actor` and `ref` are short forms for links from other screens; the filter bar writes all into `q`. */
export const auditTrailSearch = searchSchema({
  ...listSearchFields,
  t: timeRangeField,
  device: textField(128),
  actor: textField(128),
  ref: textField(128),
});
export const auditTrailDefaults = {
  ...listSearchDefaults,
  t: '',
  device: '',
  actor: '',
  ref: '',
} as const;
