import { z } from 'zod';

/**
 * Whether a value could not be checked: the validation library compares the `length` of any object
 * with a number, and throws if it is an object without a primitive value. Only JSON has such
 * objects.
 */
export const isIncomparable = (error: unknown): boolean =>
  error instanceof TypeError && error.message === 'Cannot convert object to primitive value';

/** `schema.safeParse`, which also rejects values that could not be checked. */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  params?: Parameters<Schema['safeParse']>[1],
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, params) as z.ZodSafeParseResult<z.output<Schema>>;
  } catch (error) {
    if (!isIncomparable(error)) throw error;
    const issue = {
      code: 'custom' as const,
      path: [],
      message: 'Invalid length',
      input: undefined,
    };
    const rejection = new z.ZodError([issue]) as z.ZodError<z.output<Schema>>;
    return { success: false, error: rejection };
  }
}
