import { choiceField, searchSchema, textField } from '../shell/search-schema.ts';

export const commandSearch = searchSchema({
  /** Both are empty by default (portal specification, section 2). */
  device: textField(128),
  document: textField(160),
  /** Many devices: a stored list of serial numbers (`devices.getTargetList`) … */
  targets: textField(64),
  /** … or a property filter of the device list. */
  filter: textField(8_000),
  op: choiceField('and', 'or'),
  /** The result on screen. */
  run: textField(64),
  invocation: textField(64),
});
export type CommandSearch = ReturnType<typeof commandSearch>;

export const commandDefaults = {
  device: '',
  document: '',
  targets: '',
  filter: '',
  op: 'and',
  run: '',
  invocation: '',
} as const;
