import { z } from 'zod';
import { textMapSchema, textSchema } from './text-schema.ts';

const pool = { UserPoolId: textSchema.min(1).max(55) };
const username = textSchema
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const groupName = textSchema
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u);
const attributes = z
  .array(z.object({ Name: textSchema.min(1).max(32), Value: textSchema.max(2_048).optional() }))
  .max(64);
const token = textSchema.min(1).optional();
const limit = z.number().int().min(0).max(60).optional();
const password = textSchema.min(1).max(256);

/** Request shapes of the administration (cognito.md, section 3); parameters that change nothing here are let pass. */
export const userSchema = z.object({ ...pool, Username: username });

export const adminCreateUserSchema = userSchema.extend({
  UserAttributes: attributes.default([]),
  MessageAction: z.enum(['RESEND', 'SUPPRESS']).optional(),
  TemporaryPassword: password.optional(),
  DesiredDeliveryMediums: z.array(z.enum(['EMAIL', 'SMS'])).optional(),
  ForceAliasCreation: z.boolean().optional(),
  ClientMetadata: textMapSchema.optional(),
});

export const adminUpdateUserAttributesSchema = userSchema.extend({ UserAttributes: attributes });

export const adminSetUserPasswordSchema = userSchema.extend({
  Password: password,
  Permanent: z.boolean().default(false),
});

export const membershipSchema = userSchema.extend({ GroupName: groupName });

export const adminListGroupsForUserSchema = userSchema.extend({ Limit: limit, NextToken: token });

export const listUsersSchema = z.object({
  ...pool,
  Filter: textSchema.max(256).optional(),
  Limit: limit,
  PaginationToken: token,
  AttributesToGet: z.array(textSchema.min(1).max(32)).optional(),
});

export const listUsersInGroupSchema = z.object({
  ...pool,
  GroupName: groupName,
  Limit: limit,
  NextToken: token,
});

export const listGroupsSchema = z.object({ ...pool, Limit: limit, NextToken: token });

export const createGroupSchema = z.object({
  ...pool,
  GroupName: groupName,
  Description: textSchema.max(2_048).optional(),
  RoleArn: textSchema.min(20).max(2_048).optional(),
  Precedence: z.number().int().min(0).optional(),
});

export type AdminCreateUserInput = z.output<typeof adminCreateUserSchema>;
export type ListUsersInput = z.output<typeof listUsersSchema>;
export type AttributeList = z.output<typeof attributes>;
