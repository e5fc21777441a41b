import { listSearchDefaults, listSearchFields, timeRangeField } from '../ui/list-search.ts';
import { flagField, searchSchema, textField } from '../ui/search-schema.ts';

/** `device`, `actor` and `ref` are short forms for links from other screens; the filter bar writes all of them to `q`. */
const read = searchSchema({
  ...listSearchFields,
  t: timeRangeField,
  device: textField(128),
  actor: textField(128),
  ref: textField(128),
  /** `check` while the verification panel is open. */
  dialog: textField(16),
  /** Whether the archive is searched. */
  archive: flagField,
  /** Whether repeated events are shown individually. */
  flat: flagField,
});

/** Links of earlier releases have `cold` instead of `archive`. */
export const auditTrailSearch = ({
  cold,
  ...search
}: Parameters<typeof read>[0] & { readonly cold?: boolean }) =>
  read({ ...search, ...(cold !== undefined && { archive: cold }) });

export const auditTrailDefaults = {
  ...listSearchDefaults,
  t: '',
  device: '',
  actor: '',
  ref: '',
  dialog: '',
  archive: false,
  flat: false,
} as const;
