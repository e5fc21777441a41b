import { maskedContacts } from '../../mfa/masked-contacts.ts';
import { toMfaCaller, type MfaCaller } from '../../mfa/mfa-caller.ts';
import type { MfaTicket } from '../../mfa/mfa-gate.ts';
import { setUpMethodsOf } from '../../mfa/mfa-methods.ts';
import { mfaRefusals } from '../../mfa/mfa-refusals.ts';
import { beginPasskeyStep } from '../../mfa/passkey-step.ts';
import { createTotps } from '../../mfa/totp.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import type { Caller } from '../../provider/wire/caller.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import type { Act } from '../act-schema.ts';
import type { SecondStepView, StepMethod } from './second-step-view.ts';

/** A user who has completed the first factor. */
export type SecondStepCaller = MfaCaller & { readonly ticket: NonNullable<MfaCaller['ticket']> };

/** @throws ProviderError mfaTokenHasEnded */
export async function openSecondStep(
  context: ProviderContext,
  caller: Caller,
  token: string,
): Promise<SecondStepCaller> {
  const opened = await toMfaCaller(context, { ...caller, token });
  if (opened.ticket === undefined) throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  return { ...opened, ticket: opened.ticket };
}

/** Available methods; the first one is the default. */
function stepMethodsOf(
  context: ProviderContext,
  { firstMethod, mayBind, offered }: MfaTicket,
): readonly StepMethod[] {
  if (mayBind) return setUpMethodsOf(context, firstMethod);
  return offered.flatMap((each): readonly StepMethod[] => {
    if (each === 'OTP') return ['OTP', 'RECOVERY'];
    return each === 'PASSKEY' ? ['PASSKEY', 'PASSKEY_CODE'] : [each];
  });
}

/** Current state of the second factor, with earlier input and messages from the form. */
export async function viewSecondStep(
  context: ProviderContext,
  caller: SecondStepCaller,
  shown: Partial<Pick<Act, 'appSecret' | 'contact' | 'method' | 'recoveryCode' | 'sentAt'>> = {},
): Promise<SecondStepView> {
  const { ticket, user } = caller;
  const methods = stepMethodsOf(context, ticket);
  const method = methods.find((each) => each === shown.method) ?? methods[0] ?? 'OTP';
  const isSetUp = ticket.mayBind;
  const { email, phone } = maskedContacts(user);
  const own = (method === 'SMS' ? phone : email) ?? '';
  const totps = createTotps(context);
  const { appSecret: secret = '', recoveryCode = '' } = shown;
  const associate = () =>
    secret === '' ? totps.associate(user) : totps.describe(user, { secret, recoveryCode });
  return {
    ...{ token: ticket.text, method, methods, isSetUp },
    contact: isSetUp ? (shown.contact ?? '') : own,
    sentAt: shown.sentAt || undefined,
    app: isSetUp && method === 'OTP' ? await associate() : undefined,
    passkey:
      method === 'PASSKEY' ? JSON.stringify(await beginPasskeyStep(context, caller)) : undefined,
  };
}
