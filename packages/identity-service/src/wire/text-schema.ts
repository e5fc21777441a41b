import { z } from 'zod';

/** Longer than any token or parameter of the protocol. */
const MAX_CHARACTERS = 16_384;

/** Text from outside. PostgreSQL cannot hold the character NUL, and no identifier or token has one. */
export const textSchema = z
  .string()
  .max(MAX_CHARACTERS)
  .refine((text) => !text.includes('\0'), 'must not contain the character NUL');

export const textMapSchema = z.record(z.string().max(128), textSchema);
