import { listSearchDefaults, listSearchFields } from '../ui/list-search.ts';
import { flagField, searchSchema } from '../ui/search-schema.ts';

export const documentsSearch = searchSchema({
  ...listSearchFields,
  /** Shows the form for a new document in place of the list. */
  create: flagField,
  /** Only versions that need the viewer’s review. */
  waiting: flagField,
});
export const documentsDefaults = { ...listSearchDefaults, create: false, waiting: false } as const;
