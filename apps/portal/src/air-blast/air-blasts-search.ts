import { choiceField, flagField, searchSchema, textField } from '../ui/search-schema.ts';

export const airBlastsSearch = searchSchema({
  mine: flagField,
  active: flagField,
  waiting: flagField,
  /** Opens a new plan, prefilled with a change … */
  plan: flagField,
  name: textField(128),
  document: textField(160),
  component: textField(128),
  version: textField(64),
  /** … and devices: IDs, a stored list, or a filter of the device list. */
  devices: textField(4_000),
  list: textField(64),
  q: textField(8_000),
  op: choiceField('and', 'or'),
  targets: textField(64),
  all: flagField,
});
export const airBlastsDefaults = {
  mine: false,
  active: false,
  waiting: false,
  plan: false,
  name: '',
  document: '',
  component: '',
  version: '',
  devices: '',
  list: '',
  q: '',
  op: 'and',
  targets: '',
  all: false,
} as const;
