import { z } from 'zod';
import type { Timestamp } from '../pages.ts';

/** Why a call requires a fresh second step. */
export const stepUpPurposes = [
  'destroys',
  'grants-rights',
  'reveals-personal-data',
  'opens-terminal',
  'opens-web-page',
  'writes-file',
] as const;
export type StepUpPurpose = (typeof stepUpPurposes)[number];

/** How a second step is proved: a passkey, an authenticator app, or a code by email or text message. */
export const stepUpMethods = ['passkey', 'app', 'email', 'sms'] as const;
export type StepUpMethod = (typeof stepUpMethods)[number];

/** Methods whose code the portal sends. */
export const codeChannels = ['email', 'sms'] as const satisfies readonly StepUpMethod[];
export type CodeChannel = (typeof codeChannels)[number];

/** When codes by email or text message count as a second step. */
export const stepUpCodeRules = ['fallback', 'always', 'never'] as const;
export type StepUpCodeRule = (typeof stepUpCodeRules)[number];

/** A method that the user can use now. */
export interface StepUpOffer {
  readonly method: StepUpMethod;
  /** Masked destination of a code; null for other methods. */
  readonly destination: string | null;
}

/** Why no method, or not every method, can be used. */
export interface StepUpHindrance {
  readonly reason:
    | 'contact-changed'
    | 'contact-unverified'
    | 'codes-off'
    | 'no-contact'
    | 'app-new';
  /** When the method can be used; null if that does not depend on time. */
  readonly until: Timestamp | null;
}

export interface StepUpOffers {
  /** The preferred method first. */
  readonly methods: readonly StepUpOffer[];
  readonly hindrances: readonly StepUpHindrance[];
}

export interface SentStepUpCode {
  /** Masked. */
  readonly destination: string;
  readonly expiresAt: Timestamp;
  /** When another code can be requested. */
  readonly resendAfter: Timestamp;
}

/** The end of the confirmation. */
export interface StepUpConfirmation {
  readonly until: Timestamp;
}

const digitsSchema = z.string().trim().min(1).max(64);

/** `PublicKeyCredential.toJSON()`; checked by the identity store. */
const credentialSchema = z.record(z.string().max(64), z.unknown());

export const confirmStepUpByPasskeyInput = z.object({
  credential: credentialSchema,
  binding: z.string().max(128),
});
export const sendStepUpCodeInput = z.object({ channel: z.enum(codeChannels) });
export const confirmStepUpByCodeInput = z.object({
  channel: z.enum(codeChannels),
  code: digitsSchema,
});
export const confirmStepUpByAppInput = z.object({ code: digitsSchema });
