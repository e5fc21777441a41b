/** A custom value of an account, in its declared type. */
export type UserValue = string | number | boolean | Date | object | null;

export type UserValueType = 'STRING' | 'NUMBER' | 'DATETIME' | 'BOOLEAN' | 'OBJECT' | 'SELECT';

/** A custom value with its name. */
export interface UserDefinedValue {
  readonly key: string;
  readonly dataType: UserValueType;
  readonly value: UserValue;
  readonly label?: string | null;
}
