import { z } from 'zod';
import { MOST_VALUES, toCustomValue, type CustomValue } from './custom-value.ts';

const LONGEST_KEY = 128;
const LONGEST_VALUE = 16_384;

export const customKeySchema = z
  .string()
  .min(1)
  .max(LONGEST_KEY)
  .refine((key) => !key.includes('\0'));

/** The JSON text of one value, as `setUdv` sends it. */
const jsonTextSchema = z
  .string()
  .max(LONGEST_VALUE)
  .refine((text) => !text.includes('\0') && !text.includes(String.raw`\u0000`));

const listSchema = z.array(z.object({ key: customKeySchema, value: z.unknown() })).max(MOST_VALUES);

/**
 * Reads values whose JSON is text: `udvList`, and the arguments of `setUdv`.
 * @throws z.ZodError when a value is no JSON
 */
export function readJsonValues(
  list: readonly { readonly key: string; readonly value?: string | null }[],
): CustomValue[] {
  return listSchema
    .parse(list)
    .map(({ key, value }) => toCustomValue(key, parseJson(jsonTextSchema.parse(value))));
}

/**
 * Reads the custom data of a registration or sign-in: `params` is the JSON text of `[{key, value}]`, `customData` an
 * object (identity-sdk.md, section 5, "Conventions"). The later beats the earlier.
 * @throws z.ZodError when it is neither
 */
export function readCustomData(given: {
  readonly params?: unknown;
  readonly customData?: unknown;
}): CustomValue[] {
  const params =
    typeof given.params === 'string' ? parseJson(jsonTextSchema.parse(given.params)) : given.params;
  const fromParams = listSchema.parse(params ?? []);
  const object = z.record(customKeySchema, z.unknown()).parse(given.customData ?? {});
  const fromObject = Object.entries(object).map(([key, value]) => ({ key, value }));
  const byKey = new Map(
    listSchema.parse([...fromParams, ...fromObject]).map(({ key, value }) => [key, value]),
  );
  return [...byKey].map(([key, value]) => toCustomValue(key, value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return z.never().parse(text);
  }
}
