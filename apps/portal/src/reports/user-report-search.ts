import { timeRangeField } from '../ui/list-search.ts';
import { searchSchema, textField } from '../ui/search-schema.ts';

/** `user` is the older name of `person`; both are a person's id. `report` shows one that was asked for. */
export const userReportSearch = searchSchema({
  person: textField(64),
  user: textField(64),
  report: textField(64),
  t: timeRangeField,
});
export const userReportDefaults = { person: '', user: '', report: '', t: '' } as const;
