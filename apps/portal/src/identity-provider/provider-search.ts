import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

export const providerTabs = [
  '',
  'connections',
  'departments',
  'roles',
  'access-keys',
  'saml',
] as const;
/** `''` for the applications. */
export type ProviderTab = (typeof providerTabs)[number];

export const providerSearch = searchSchema({
  tab: choiceField(...providerTabs),
  /** The department or role whose members are shown. */
  of: textField(64),
});
export const providerDefaults = { tab: '', of: '' } as const;
