import { listSearchDefaults, listSearchFields, timeRangeField } from '../ui/list-search.ts';
import { flagField, searchSchema, textField } from '../ui/search-schema.ts';

/** `device`, `actor` and `ref` are short forms for links from other screens; the filter bar writes all into `q`. */
export const auditTrailSearch = searchSchema({
  ...listSearchFields,
  t: timeRangeField,
  device: textField(128),
  actor: textField(128),
  ref: textField(128),
  /** `check` where the panel that checks the trail is open. */
  dialog: textField(16),
  /** Whether cold storage is searched. */
  cold: flagField,
  /** Alike events are shown one by one. */
  flat: flagField,
});
export const auditTrailDefaults = {
  ...listSearchDefaults,
  t: '',
  device: '',
  actor: '',
  ref: '',
  dialog: '',
  cold: false,
  flat: false,
} as const;
