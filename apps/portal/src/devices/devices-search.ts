import { listSearchDefaults, listSearchFields } from '../shell/list-search.ts';
import { searchSchema, textField } from '../shell/search-schema.ts';

export const devicesSearch = searchSchema({
  ...listSearchFields,
  /** A stored list of serial numbers. */
  targets: textField(64),
  /** A dialog that a link may open: `add`. */
  dialog: textField(16),
  /** Two to four device ids, beside each other. */
  compare: textField(160),
});
export const devicesDefaults = {
  ...listSearchDefaults,
  targets: '',
  dialog: '',
  compare: '',
} as const;
