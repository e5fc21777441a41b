import { choiceField, flagField, searchSchema, textField } from '../../ui/search-schema.ts';

export const reviewsSearch = searchSchema({
  /** The dialog that starts a review is open. */
  start: flagField,
});
export const reviewsDefaults = { start: false } as const;

export const reviewSearch = searchSchema({
  show: choiceField('undecided', 'keep', 'remove', 'all'),
  /** Part of a username or role. */
  q: textField(200),
});
export const reviewDefaults = { show: 'undecided', q: '' } as const;
