import { z } from 'zod';
import { MOST_ISSUES } from '../errors.ts';
import { idSchema } from '../ids.ts';
import { consequences } from '../access/permissions.ts';

/** Keys of a table of states. */
export const keysOf = <Table extends object>(table: Table) =>
  z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]);

export const timestampSchema = z
  .string()
  .meta({ format: 'date-time', description: 'ISO 8601, UTC', example: '2026-11-20T18:00:00.000Z' });

export const publicIdSchema = idSchema.meta({ example: '019aa2c4-7d5f-7c3a-9d53-6f0b6f6a1c11' });

export const deviceReference = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: 'ID or serial number.', example: 'LK2DE00151' });

export const consequenceSchema = z
  .enum(consequences)
  .meta({ description: 'The effect of a command on a device.' });

/** Short facts by name. */
export const factsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const valuesSchema = z.record(z.string(), z.unknown());

/** One value or several of a query parameter that can be repeated. */
export const repeated = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(100).optional(),
  );

/** A query parameter that is `true` or `false`. */
export const flagSchema = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().optional(),
);

export const pageQuery = {
  pageSize: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'Number of items of a page.' }),
  cursor: z
    .string()
    .max(1_024)
    .optional()
    .meta({ description: '`nextCursor` of the previous page. Absent for the first page.' }),
};

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'Cursor of the next page; null on the last one.' });

export const errorSchema = z
  .object({
    error: z.object({
      code: z.int().meta({ description: 'Code of the error catalog.', example: 2003 }),
      name: z.string().meta({ example: 'notFound' }),
      message: z.string().meta({ example: 'not found' }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why, if the code is too general. Stable, for applications.' }),
      issues: z
        .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
        .max(MOST_ISSUES)
        .meta({ description: 'Invalid values of the input.' }),
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      requestId: z.string().meta({ description: 'Also in API calls and the audit trail.' }),
    }),
  })
  .meta({ id: 'Error', description: 'The same codes as in the portal.' });
export type PublicError = z.output<typeof errorSchema>;
