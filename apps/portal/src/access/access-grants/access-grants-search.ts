import { choiceField, flagField, searchSchema } from '../../ui/search-schema.ts';

export const accessGrantsSearch = searchSchema({
  show: choiceField('open', 'all', 'mine'),
  /** The request dialog is open. */
  ask: flagField,
});
export const accessGrantsDefaults = { show: 'open', ask: false } as const;
