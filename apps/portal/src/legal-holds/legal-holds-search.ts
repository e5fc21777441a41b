import { flagField, searchSchema } from '../ui/search-schema.ts';

export const legalHoldsSearch = searchSchema({
  /** The dialog that sets a hold is open. */
  set: flagField,
});
export const legalHoldsDefaults = { set: false } as const;
