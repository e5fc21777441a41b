import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

export const casesSearch = searchSchema({
  show: choiceField('open', 'mine', 'closed', 'all'),
  /** The beginning of a ticket number. */
  ticket: textField(100),
  /** The ID of a person. */
  person: textField(64),
});
export const casesDefaults = { show: 'open', ticket: '', person: '' } as const;
