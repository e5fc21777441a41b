import { listSearchDefaults, listSearchFields } from '../../ui/list-search.ts';
import { choiceField, flagField, searchSchema, textField } from '../../ui/search-schema.ts';

export const rolesSearch = searchSchema({
  ...listSearchFields,
  tab: choiceField('', 'matrix', 'who-can'),
  create: flagField,
  /** The role to copy into a new one. */
  from: textField(64),
  /** The permission or the command name of the “who can” search. */
  can: textField(160),
  /** Limits the “who can” search to a device. Empty for any device. */
  device: textField(64),
});
export const rolesDefaults = {
  ...listSearchDefaults,
  tab: '',
  create: false,
  from: '',
  can: '',
  device: '',
} as const;

export const roleSearch = searchSchema({ edit: flagField });
export const roleDefaults = { edit: false } as const;
