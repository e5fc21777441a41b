import { timeRangeField } from '../ui/list-search.ts';
import { searchSchema, textField } from '../ui/search-schema.ts';

/**
 * `user` is the former name of `person`. Both are the ID of a person. `report` is the ID of a
 * report.
 */
export const userReportSearch = searchSchema({
  person: textField(64),
  user: textField(64),
  report: textField(64),
  t: timeRangeField,
});
export const userReportDefaults = { person: '', user: '', report: '', t: '' } as const;
