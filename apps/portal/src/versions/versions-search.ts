import { listSearchDefaults, listSearchFields } from '../ui/list-search.ts';
import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

export const versionsSearch = searchSchema({
  ...listSearchFields,
  tab: textField(32),
  component: textField(128),
  /** Components, packages, or what applies to device models. */
  area: choiceField('', 'packages', 'models'),
  package: textField(128),
});
export const versionsDefaults = {
  ...listSearchDefaults,
  tab: '',
  component: '',
  area: '',
  package: '',
} as const;
