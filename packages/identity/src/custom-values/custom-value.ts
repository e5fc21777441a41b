/** docs/design/sign-in.md, section 3, "Custom field types". */
export type CustomDataType = 'STRING' | 'NUMBER' | 'DATETIME' | 'BOOLEAN' | 'OBJECT' | 'SELECT';

/** Maximum number of values per user. */
export const MOST_VALUES = 100;

/** A value with a key on a user, role, and so on. */
export interface CustomValue {
  readonly key: string;
  readonly dataType: CustomDataType;
  /** A text unchanged; a number, boolean, or object as JSON; a time as ISO 8601. */
  readonly value: string;
  readonly label: string | null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The value in JSON, with the type that fits it: clients read it back as what it was. */
export function toCustomValue(key: string, value: unknown): CustomValue {
  const [dataType, text] = typed(value);
  return { key, dataType, value: text, label: null };
}

function typed(value: unknown): readonly [CustomDataType, string] {
  if (typeof value === 'string') return [MOMENT.test(value) ? 'DATETIME' : 'STRING', value];
  if (typeof value === 'number') return ['NUMBER', String(value)];
  if (typeof value === 'boolean') return ['BOOLEAN', String(value)];
  return ['OBJECT', JSON.stringify(value ?? null)];
}
