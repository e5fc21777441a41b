import { listSearchDefaults, listSearchFields } from '../ui/list-search.ts';
import { searchSchema, textField } from '../ui/search-schema.ts';

export const devicesSearch = searchSchema({
  ...listSearchFields,
  /** A stored list of serial numbers. */
  targets: textField(64),
  /** A dialog that a link can open: `add`. */
  dialog: textField(16),
  /** Two to four device IDs to compare. */
  compare: textField(160),
});
export const devicesDefaults = {
  ...listSearchDefaults,
  targets: '',
  dialog: '',
  compare: '',
} as const;
