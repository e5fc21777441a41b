import { z } from 'zod';

/** Longer than any token or parameter of the protocol. */
const MAX_CHARACTERS = 16_384;

/** Text from outside. PostgreSQL cannot hold the character NUL, and no identifier or token has one. */
export const textSchema = z
  .string()
  .max(MAX_CHARACTERS)
  .refine((text) => !text.includes('\0'), 'must not contain the character NUL');

const keySchema = z.string().max(128);

export const textMapSchema = z.record(keySchema, textSchema);

/** amazon-cognito-identity-js sends `"DEVICE_KEY": null`: like a parameter left out. */
export const parameterMapSchema = z
  .record(keySchema, textSchema.nullable())
  .transform(
    (parameters) =>
      Object.fromEntries(
        Object.entries(parameters).filter(([, value]) => value !== null),
      ) as Record<string, string>,
  );
