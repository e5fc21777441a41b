import type { JWTPayload } from 'jose';
import { z } from 'zod';
import type { TokenCheck } from '../../tokens/check-token.ts';

/** Uses of the user pool's signing keys. */
export type PoolTokenUse = 'id' | 'access';

const claimsSchema = z.object({
  sub: z.uuid(),
  token_use: z.enum(['id', 'access']),
  exp: z.number(),
  iat: z.number(),
  origin_jti: z.uuid(),
  aud: z.string().optional(),
  client_id: z.string().optional(),
  scope: z.string().optional(),
});

export type PoolClaims = z.output<typeof claimsSchema>;
export type PoolTokenCheck = TokenCheck<PoolTokenUse, PoolClaims>;

export function readPoolClaims(payload: JWTPayload): PoolClaims {
  return claimsSchema.parse(payload);
}
