import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import type { Timestamp } from '../pages.ts';

/** A passkey of the signed-in user. */
export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  /** Whether the authenticator can copy it to other devices of the user. */
  readonly isSynced: boolean;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
}

export interface OwnPasskeys {
  /** Whether browsers offer passkeys at the portal's public URL. */
  readonly isAvailable: boolean;
  readonly passkeys: readonly OwnPasskey[];
  /** Where sign-ins ask for a passkey: the portal, or the sign-in pages at `/idp`. Null if users sign in elsewhere. */
  readonly askedAt: 'portal' | 'provider' | null;
  /** Whether a passkey replaces the code or password there. */
  readonly signsIn: boolean;
  readonly recoveryCodesLeft: number;
  /** Until then, passkeys can be added and removed; later, after signing in again. */
  readonly changeableUntil: Timestamp;
}

export interface AddedPasskey {
  readonly passkey: OwnPasskey;
  /** Only with the first passkey; shown once. */
  readonly recoveryCodes: readonly string[] | null;
}

/** A passkey is added or removed within this time after the sign-in. */
export const PASSKEY_CHANGE_MS = 5 * 60_000;

const idSchema = z.string().min(1).max(64);
/** `PublicKeyCredential.toJSON()`; checked by the identity store. */
const credentialSchema = z.record(z.string().max(64), z.unknown());

export const addPasskeyInput = z.object({ credential: credentialSchema });
export const renamePasskeyInput = z.object({ id: idSchema, name: nameSchema({ max: 64 }) });
export const passkeyReferenceInput = z.object({ id: idSchema });
export const passkeySignInInput = z.object({ signsIn: z.boolean() });
