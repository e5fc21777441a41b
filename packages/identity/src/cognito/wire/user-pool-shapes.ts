import { z } from 'zod';
import { parameterMapSchema, textMapSchema, textSchema } from './text-schema.ts';

const clientId = textSchema.min(1).max(128);
const metadata = textMapSchema.optional();

/** Request shapes of the user pool (cognito.md, section 2); parameters that change nothing here are let pass. */
export const initiateAuthSchema = z.object({
  AuthFlow: z.enum([
    'CUSTOM_AUTH',
    'REFRESH_TOKEN_AUTH',
    'REFRESH_TOKEN',
    'USER_AUTH',
    'USER_SRP_AUTH',
    'USER_PASSWORD_AUTH',
    'ADMIN_NO_SRP_AUTH',
    'ADMIN_USER_PASSWORD_AUTH',
  ]),
  ClientId: clientId,
  AuthParameters: parameterMapSchema.default({}),
  ClientMetadata: metadata,
});

export const respondToAuthChallengeSchema = z.object({
  ChallengeName: textSchema.min(1).max(64),
  ChallengeResponses: parameterMapSchema.default({}),
  Session: textSchema.min(20).max(2_048),
  ClientId: clientId,
  ClientMetadata: metadata,
});

export const getTokensFromRefreshTokenSchema = z.object({
  ClientId: clientId,
  RefreshToken: textSchema.min(1),
  ClientSecret: textSchema.max(128).optional(),
});

export const revokeTokenSchema = z.object({
  ClientId: clientId,
  Token: textSchema.min(1),
  ClientSecret: textSchema.max(128).optional(),
});

/** Nothing else of it is read: the pool takes no registrations. */
export const signUpSchema = z.object({ ClientId: clientId });

export const accessTokenSchema = z.object({ AccessToken: textSchema.min(1) });

export type InitiateAuthInput = z.output<typeof initiateAuthSchema>;
export type RespondToAuthChallengeInput = z.output<typeof respondToAuthChallengeSchema>;
