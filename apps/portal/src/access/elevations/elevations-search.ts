import { choiceField, flagField, searchSchema } from '../../ui/search-schema.ts';

export const elevationsSearch = searchSchema({
  show: choiceField('open', 'all', 'mine'),
  /** The question is being written. */
  ask: flagField,
});
export const elevationsDefaults = { show: 'open', ask: false } as const;
