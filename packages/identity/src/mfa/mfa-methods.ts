import { hasFace } from '../face/face-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { listTotps } from './totp-store.ts';

/** By their names in the contract's answers. */
export type MfaMethod = 'OTP' | 'FACE' | 'SMS' | 'EMAIL' | 'PASSKEY';

export interface MfaMethods {
  /** Methods that the user set up; if there are any, no weaker ones are offered. */
  readonly own: readonly MfaMethod[];
  /** Methods offered at this sign-in. */
  readonly offered: readonly MfaMethod[];
}

/**
 * Second factors of a user. Users with a passkey, an app, or a face must use one of these. Codes are for users
 * without, if all users need a second factor, and never on the channel of the first factor.
 */
export async function mfaMethodsOf(
  { db, passkeys }: Pick<ProviderContext, 'db' | 'passkeys'>,
  user: ProviderUser,
  firstMethod: string,
): Promise<MfaMethods> {
  const [totps, face, hasPasskey] = await Promise.all([
    listTotps(db, user.id),
    hasFace(db, user.id),
    passkeys.isAvailable && passkeys.has(user.id),
  ]);
  const own: MfaMethod[] = [];
  if (hasPasskey) own.push('PASSKEY');
  if (totps.some(({ enabled }) => enabled)) own.push('OTP');
  if (face) own.push('FACE');
  if (own.length > 0) return { own, offered: own };
  const codes: MfaMethod[] = [];
  if (user.phoneVerified && !isFirstChannel(firstMethod, 'SMS')) codes.push('SMS');
  if (user.emailVerified && !isFirstChannel(firstMethod, 'EMAIL')) codes.push('EMAIL');
  return { own, offered: codes };
}

/** Methods that a user without a second factor can set up during the sign-in. */
export function setUpMethodsOf(
  { plugIns }: Pick<ProviderContext, 'plugIns'>,
  firstMethod: string,
): readonly MfaMethod[] {
  const codes = (['SMS', 'EMAIL'] as const).filter((each) => !isFirstChannel(firstMethod, each));
  return ['OTP', ...codes, ...(plugIns.face ? (['FACE'] as const) : [])];
}

/** Whether the first step was a code by this channel already. */
export function isFirstChannel(firstMethod: string, channel: 'SMS' | 'EMAIL'): boolean {
  return channel === 'SMS' ? /phone|sms/.test(firstMethod) : firstMethod.includes('email');
}
