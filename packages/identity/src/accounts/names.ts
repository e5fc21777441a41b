import { isPlainName } from '@deviceportal/contract/plain-name';
import { isServiceActorName } from '@deviceportal/contract/service-actor-name';
import { z } from 'zod';

const LONGEST_EMAIL = 254;
const LONGEST_USERNAME = 64;
const LONGEST_TEXT = 2_000;

/** PostgreSQL cannot store NUL characters. */
export const textSchema = z
  .string()
  .max(LONGEST_TEXT)
  .refine((text) => !text.includes('\0'));

/** Reserved for applications with a service token, as which a user must not be shown. */
const isFree = (name: string): boolean => !isServiceActorName(name);

/** Display name of a user. */
export const personNameSchema = textSchema.refine(isPlainName).refine(isFree);

/** RFC 5321, section 4.5.3.1. */
export const emailSchema = z.email().max(LONGEST_EMAIL);

/** Neither `@` nor only digits, so that a typed name is never ambiguous with an email address or a phone number. */
export const usernameSchema = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_USERNAME)
  .regex(/^[^@\s\p{Cc}]+$/u)
  .refine(isPlainName)
  .refine(isFree)
  .refine((name) => !/^\+?\d{6,}$/.test(name));
