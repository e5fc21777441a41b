import { listSearchDefaults, listSearchFields } from '../shell/list-search.ts';
import { searchSchema, textField } from '../shell/search-schema.ts';

export const versionsSearch = searchSchema({
  ...listSearchFields,
  tab: textField(32),
  component: textField(128),
});
export const versionsDefaults = { ...listSearchDefaults, tab: '', component: '' } as const;
