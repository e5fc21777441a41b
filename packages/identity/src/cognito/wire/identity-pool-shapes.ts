import { z } from 'zod';
import { textMapSchema, textSchema } from './text-schema.ts';

const poolOrIdentityId = textSchema.max(55).regex(/^[\w-]+:[0-9a-f-]+$/);

/** Request shapes of the identity pool (cognito.md, section 6). `Logins: {}` means a guest, as does leaving it out. */
export const getIdSchema = z.object({
  IdentityPoolId: poolOrIdentityId,
  Logins: textMapSchema.optional(),
});

export const getCredentialsForIdentitySchema = z.object({
  IdentityId: poolOrIdentityId,
  Logins: textMapSchema.optional(),
  CustomRoleArn: textSchema.min(20).max(2_048).optional(),
});

export type GetIdInput = z.output<typeof getIdSchema>;
export type GetCredentialsForIdentityInput = z.output<typeof getCredentialsForIdentitySchema>;
