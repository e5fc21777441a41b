import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { AIR_BLAST_NEXT_STEP_VALIDITY_MS } from '@deviceportal/contract/constants';
import { keysOf, type KeySource } from '../../platform/secrets/derived-keys.ts';

/** What a token is bound to. It permits its user to start one step. */
export interface NextStepClaims {
  readonly runId: string;
  readonly step: 'preflight' | 'canary' | 'blast' | 'verify';
  readonly operatorId: string;
  readonly targetSha256: string;
  /** Of the plan. */
  readonly revision: number;
}

export interface IssuedNextStep {
  readonly token: string;
  readonly expiresAt: Date;
}

export type OpenedToken =
  | { readonly kind: 'open'; readonly claims: NextStepClaims; readonly expiresAt: Date }
  /** Modified, encrypted with an unknown key, or not a token. */
  | { readonly kind: 'unreadable' };

/** Encrypted tokens, which a browser can store but neither read nor modify. */
export interface NextStepTokens {
  issue(claims: NextStepClaims, issuedAt: Date): Promise<IssuedNextStep>;
  /** Also opens an expired token: the error depends on its claims. */
  open(token: string): Promise<OpenedToken>;
}

const AUDIENCE = 'air-blast-next-step';

const payloadSchema = z.object({
  runId: z.string(),
  step: z.enum(['preflight', 'canary', 'blast', 'verify']),
  operatorId: z.string(),
  targetSha256: z.string(),
  revision: z.int(),
  /** In milliseconds; `exp` is in seconds. */
  expiresAtMs: z.int(),
});

/** @param source of 32 bytes each: AES-256-GCM as direct encryption (RFC 7518, sections 4.5 and 5.3) */
export function createNextStepTokens(source: KeySource): NextStepTokens {
  const keys = keysOf(source);
  if (keys.current.byteLength !== 32)
    throw new RangeError('the key of next-step tokens must be 32 bytes');
  return {
    async issue(claims, issuedAt) {
      const expiresAt = new Date(issuedAt.getTime() + AIR_BLAST_NEXT_STEP_VALIDITY_MS);
      const token = await new EncryptJWT({ ...claims, expiresAtMs: expiresAt.getTime() })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .encrypt(keys.current);
      return { token, expiresAt };
    },
    async open(token) {
      for (const key of keys.known) {
        const opened = await openWith(key, token);
        if (opened.kind === 'open') return opened;
      }
      return { kind: 'unreadable' };
    },
  };
}

async function openWith(key: Uint8Array, token: string): Promise<OpenedToken> {
  try {
    const { payload } = await jwtDecrypt(token, key, {
      audience: AUDIENCE,
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const { expiresAtMs, ...claims } = payloadSchema.parse(payload);
    return { kind: 'open', claims, expiresAt: new Date(expiresAtMs) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) {
      return { kind: 'unreadable' };
    }
    throw error;
  }
}
