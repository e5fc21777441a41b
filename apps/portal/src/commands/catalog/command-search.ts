import { choiceField, flagField, searchSchema, textField } from '../../ui/search-schema.ts';

const LONGEST_VALUES = 4_000;

/** An address that holds JSON arrives parsed already. */
const givenValues = (raw: unknown): string => {
  const text = typeof raw === 'object' && raw !== null ? JSON.stringify(raw) : raw;
  return typeof text === 'string' && text.length <= LONGEST_VALUES ? text : '';
};

export const commandSearch = searchSchema({
  /** Both are empty by default (docs/design/portal.md, section 2). */
  device: textField(128),
  document: textField(160),
  /** Many devices: a stored list of serial numbers (`devices.getTargetList`) … */
  targets: textField(64),
  /** … or a property filter of the device list. */
  filter: textField(8_000),
  op: choiceField('and', 'or'),
  /** Every device, or every one that the filter matches: an empty filter alone means that nobody is chosen yet. */
  all: flagField,
  /** Values to begin with, JSON by parameter name: whoever opens the form sees and may change them. */
  values: givenValues,
  /** The result on screen. */
  run: textField(64),
  invocation: textField(64),
  /** The run to take back. */
  undo: textField(64),
});
export type CommandSearch = ReturnType<typeof commandSearch>;

export const commandDefaults = {
  device: '',
  document: '',
  targets: '',
  filter: '',
  op: 'and',
  all: false,
  values: '',
  run: '',
  invocation: '',
  undo: '',
} as const;

/** The address of a command whose devices are yet to be chosen. */
export const noTarget = { device: '', targets: '', filter: '', op: 'and', all: false } as const;
