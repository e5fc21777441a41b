/** A value that an application keeps with an account, in its type. */
export type UserValue = string | number | boolean | Date | object | null;

export type UserValueType = 'STRING' | 'NUMBER' | 'DATETIME' | 'BOOLEAN' | 'OBJECT' | 'SELECT';

/** One such value with its name. */
export interface UserDefinedValue {
  readonly key: string;
  readonly dataType: UserValueType;
  readonly value: UserValue;
  readonly label?: string | null;
}
