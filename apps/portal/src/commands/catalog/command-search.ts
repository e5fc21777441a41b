import { choiceField, flagField, searchSchema, textField } from '../../ui/search-schema.ts';

const LONGEST_VALUES = 4_000;

/** The router parses values that are JSON. */
const givenValues = (raw: unknown): string => {
  const text = typeof raw === 'object' && raw !== null ? JSON.stringify(raw) : raw;
  return typeof text === 'string' && text.length <= LONGEST_VALUES ? text : '';
};

export const commandSearch = searchSchema({
  /** Both are empty by default (docs/design/portal.md, section 2). */
  device: textField(128),
  document: textField(160),
  /** Several devices: a stored list of serial numbers (`devices.getTargetList`) … */
  targets: textField(64),
  /** … or a property filter of the device list. */
  filter: textField(8_000),
  op: choiceField('and', 'or'),
  /**
   * All devices, or all that the filter matches. An empty filter without it means that no devices
   * are chosen yet.
   */
  all: flagField,
  /**
   * Initial values as JSON by parameter name. The user sees them in the form and can change them.
   */
  values: givenValues,
  /** The run whose result is shown. */
  run: textField(64),
  invocation: textField(64),
  /** The run to undo. */
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

/** The search parameters of a command without devices. */
export const noTarget = { device: '', targets: '', filter: '', op: 'and', all: false } as const;
