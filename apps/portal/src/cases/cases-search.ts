import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

export const casesSearch = searchSchema({
  show: choiceField('open', 'mine', 'unassigned', 'overdue', 'closed', 'all'),
  /** The beginning of a ticket number. */
  ticket: textField(100),
  /** The ID of a person. */
  person: textField(64),
  priority: choiceField('', 'urgent', 'high', 'normal', 'low'),
  /** The name of a queue. */
  queue: textField(60),
  /** With `-` for the other direction. */
  sort: choiceField('-opened', 'opened', 'due', '-due', 'priority', '-priority'),
});
export const casesDefaults = {
  show: 'open',
  ticket: '',
  person: '',
  priority: '',
  queue: '',
  sort: '-opened',
} as const;
