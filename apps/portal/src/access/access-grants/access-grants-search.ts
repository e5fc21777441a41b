import { choiceField, flagField, searchSchema } from '../../ui/search-schema.ts';

export const accessGrantsSearch = searchSchema({
  show: choiceField('open', 'all', 'mine'),
  /** The question is being written. */
  ask: flagField,
});
export const accessGrantsDefaults = { show: 'open', ask: false } as const;
