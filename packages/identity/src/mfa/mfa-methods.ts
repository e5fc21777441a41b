import { hasFace } from '../face/face-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { listTotps } from './totp-store.ts';

/** By their names in the contract's answers. */
export type MfaMethod = 'OTP' | 'FACE' | 'SMS' | 'EMAIL';

export interface MfaMethods {
  /** What the person set up for it: nothing weaker is offered beside. */
  readonly own: readonly MfaMethod[];
  /** What can be offered at this sign-in. */
  readonly offered: readonly MfaMethod[];
}

/**
 * The second steps of a person. Who set up an app or a face is asked for one of those; codes are for those who did not,
 * where a second step is asked of everybody, and never by the channel of the first step.
 */
export async function mfaMethodsOf(
  { db }: Pick<ProviderContext, 'db'>,
  user: ProviderUser,
  firstMethod: string,
): Promise<MfaMethods> {
  const [totps, face] = await Promise.all([listTotps(db, user.id), hasFace(db, user.id)]);
  const own: MfaMethod[] = [];
  if (totps.some(({ enabled }) => enabled)) own.push('OTP');
  if (face) own.push('FACE');
  if (own.length > 0) return { own, offered: own };
  const codes: MfaMethod[] = [];
  if (user.phoneVerified && !isFirstChannel(firstMethod, 'SMS')) codes.push('SMS');
  if (user.emailVerified && !isFirstChannel(firstMethod, 'EMAIL')) codes.push('EMAIL');
  return { own, offered: codes };
}

/** What somebody who has no second step may set up while signing in. */
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
