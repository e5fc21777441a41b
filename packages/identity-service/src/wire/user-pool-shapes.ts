import { z } from 'zod';
import { textSchema, textMapSchema } from './text-schema.ts';

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
  AuthParameters: textMapSchema.default({}),
  ClientMetadata: metadata,
});

export const respondToAuthChallengeSchema = z.object({
  ChallengeName: textSchema.min(1).max(64),
  ChallengeResponses: textMapSchema.default({}),
  Session: textSchema.min(20).max(2_048),
  ClientId: clientId,
  ClientMetadata: metadata,
});

export const getTokensFromRefreshTokenSchema = z.object({
  ClientId: clientId,
  RefreshToken: textSchema.min(1),
});

export const revokeTokenSchema = z.object({ ClientId: clientId, Token: textSchema.min(1) });

export const accessTokenSchema = z.object({ AccessToken: textSchema.min(1) });

export type InitiateAuthInput = z.output<typeof initiateAuthSchema>;
export type RespondToAuthChallengeInput = z.output<typeof respondToAuthChallengeSchema>;
