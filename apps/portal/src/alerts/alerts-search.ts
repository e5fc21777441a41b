import { choiceField, flagField, searchSchema, textField } from '../ui/search-schema.ts';

export const alertsSearch = searchSchema({
  tab: choiceField('', 'history', 'rules'),
  /** The form of a new rule is open. */
  create: flagField,
  /** The rule whose form is open. */
  edit: textField(64),
  /** The filter of a new rule, as in the address of the device list. */
  q: textField(8_000),
  op: choiceField('and', 'or'),
  targets: textField(64),
  /** The metric of a new rule. */
  metric: textField(64),
});
export const alertsDefaults = {
  tab: '',
  create: false,
  edit: '',
  q: '',
  op: 'and',
  targets: '',
  metric: '',
} as const;
