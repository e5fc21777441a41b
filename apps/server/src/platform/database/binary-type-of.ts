import type { PgColumn } from 'drizzle-orm/pg-core';
import type { BinaryType } from './binary-array.ts';

/** By the names of types in a schema. */
const binaryTypes: Readonly<Record<string, BinaryType>> = {
  bigint: 'bigint',
  boolean: 'boolean',
  'double precision': 'float8',
  integer: 'integer',
  jsonb: 'jsonb',
  text: 'text',
  'timestamp with time zone': 'timestamptz',
  uuid: 'uuid',
};

/** The type that a column is written as in binary; undefined where it can be written as text only. */
export const binaryTypeOf = (column: PgColumn): BinaryType | undefined =>
  binaryTypes[column.getSQLType()];
