import { nameSchema } from '@deviceportal/contract/name-schema';
import { z } from 'zod';
import { parsePhoneNumber } from '../cognito/user-pool/identifier.ts';

const username = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u, 'must not contain spaces or control characters');
const email = z.email().max(320);
const phoneNumber = z.string().transform((text, context) => {
  const number = parsePhoneNumber(text);
  if (number === undefined)
    context.addIssue({ code: 'custom', message: 'must be like +48123456789' });
  return number ?? '';
});
const status = z.enum([
  'UNCONFIRMED',
  'CONFIRMED',
  'EXTERNAL_PROVIDER',
  'RESET_REQUIRED',
  'FORCE_CHANGE_PASSWORD',
]);
const name = nameSchema({ max: 256 });
/** The standard attributes of a user pool (OpenID Connect Core 1.0, section 5.1) that are plain text here. */
export const plainAttributeNames = [
  'address',
  'birthdate',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'nickname',
  'picture',
  'preferred_username',
  'profile',
  'website',
  'zoneinfo',
] as const;
const standardAttributes = z.partialRecord(z.enum(plainAttributeNames), z.string().max(2_048));
const customAttributes = z.record(z.string().regex(/^\w{1,20}$/), z.string().max(2_048));

/** A new person. Addresses given here count as verified unless said otherwise: an administrator vouches for them. */
export const newUserSchema = z.object({
  username,
  email: email.optional(),
  emailVerified: z.boolean().default(true),
  phoneNumber: phoneNumber.optional(),
  phoneNumberVerified: z.boolean().default(true),
  name: name.optional(),
  standardAttributes: standardAttributes.default({}),
  customAttributes: customAttributes.default({}),
  enabled: z.boolean().default(true),
  status: status.default('CONFIRMED'),
});

/** Null takes an attribute away; what is left out stays. */
export const userChangeSchema = z.object({
  email: email.nullable().optional(),
  emailVerified: z.boolean().optional(),
  phoneNumber: phoneNumber.nullable().optional(),
  phoneNumberVerified: z.boolean().optional(),
  name: name.nullable().optional(),
  status: status.optional(),
  /** An empty text takes the attribute away. */
  standardAttributes: standardAttributes.optional(),
  customAttributes: customAttributes.optional(),
});

export const newGroupSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u),
  description: z.string().max(2_048).optional(),
  precedence: z.number().int().min(0).optional(),
  /** Role of the members at the identity pool, as `arn:aws:iam::123456789012:role/support`. */
  roleArn: z
    .string()
    .min(20)
    .max(2_048)
    .regex(/^arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:\d+:[\w+=/,.@-]+(:[\w+=/,.@-]+)*$/)
    .optional(),
});

export const userListSchema = z.object({
  /** Prefix of the username, email address, name, or phone number. */
  prefix: z.string().max(256).default(''),
  /** Only members of this group. */
  group: z.string().optional(),
  /** Username of the last row of the previous page. */
  after: z.string().optional(),
  limit: z.number().int().min(1).max(1_000).default(60),
});

export type NewUser = z.input<typeof newUserSchema>;
export type UserChange = z.input<typeof userChangeSchema>;
export type NewGroup = z.input<typeof newGroupSchema>;
export type UserListInput = z.input<typeof userListSchema>;
