import { listSearchDefaults, listSearchFields } from '../ui/list-search.ts';
import { flagField, searchSchema } from '../ui/search-schema.ts';

export const documentsSearch = searchSchema({
  ...listSearchFields,
  /** The form for a new document stands in the list's place. */
  create: flagField,
  /** Only what waits for one's own review. */
  waiting: flagField,
});
export const documentsDefaults = { ...listSearchDefaults, create: false, waiting: false } as const;
