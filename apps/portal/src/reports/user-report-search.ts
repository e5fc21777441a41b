import { timeRangeField } from '../shell/list-search.ts';
import { choiceField, searchSchema, textField } from '../shell/search-schema.ts';

/** `user` is the older name of `person`; both are a person's id. */
export const userReportSearch = searchSchema({
  person: textField(64),
  user: textField(64),
  t: timeRangeField,
  /** A number, because the router reads `print=1` as one. */
  print: choiceField(0, 1),
});
export const userReportDefaults = { person: '', user: '', t: '', print: 0 } as const;
