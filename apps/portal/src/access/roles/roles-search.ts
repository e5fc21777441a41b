import { listSearchDefaults, listSearchFields } from '../../ui/list-search.ts';
import { choiceField, flagField, searchSchema, textField } from '../../ui/search-schema.ts';

export const rolesSearch = searchSchema({
  ...listSearchFields,
  tab: choiceField('', 'matrix', 'who-can'),
  create: flagField,
  /** The role that a new one begins as a copy of. */
  from: textField(64),
  /** What "who can" asks: a permission, or a command by its name … */
  can: textField(160),
  /** … on this device; empty for any. */
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
