import { toProviderError } from '../../provider/wire/envelope.ts';
import { wordsOf } from '../../provider/wire/provider-error.ts';
import { refusals } from '../../provider/wire/refusals.ts';
import type { SignedIn } from '../../sign-in/sign-ins.ts';
import type { Act } from '../act-schema.ts';
import { callerAt } from '../caller-at.ts';
import type { PageState } from '../page-state.ts';
import type { Visit } from '../send-page.ts';
import { openSecondStep, viewSecondStep } from './open-second-step.ts';
import { sendStepCode } from './send-step-code.ts';
import { takeSecondStep } from './take-second-step.ts';

/** The acts of the second step: another way is chosen, a code is sent, the step is done. */
export const stepActs = ['choose-step', 'send-step', 'second-step'] as const;

/**
 * The page for the second factor after the first one.
 * @throws ProviderError mfaTokenHasEnded
 */
export async function askSecondStep(visit: Visit, token: string): Promise<PageState> {
  const { context } = visit;
  const caller = await openSecondStep(context, callerAt(visit), token);
  const second = await viewSecondStep(context, caller);
  return { step: 'second-step', account: '', error: undefined, second };
}

/**
 * Handles a form of the second factor. Rejections are shown on the page with the reason.
 * @throws ProviderError mfaTokenHasEnded
 */
export async function runStepAct(visit: Visit, act: Act): Promise<SignedIn | PageState> {
  const { context, faces, language, words } = visit;
  const caller = await openSecondStep(context, callerAt(visit), act.token);
  const show = async (shown: Partial<Act>, error?: string): Promise<PageState> => {
    const second = await viewSecondStep(context, caller, shown);
    return { step: 'second-step', account: '', error, second };
  };
  try {
    if (act.act === 'choose-step') return await show({ method: act.method });
    if (act.act === 'second-step') return await takeSecondStep(context, faces, caller, act);
    await sendStepCode(context, caller, act);
    return await show({ ...act, sentAt: context.clock.now() });
  } catch (error) {
    const { refusal } = toProviderError(error);
    if (refusal === refusals.internal) throw error;
    const isAddress = refusal === refusals.invalidParameters && act.act === 'send-step';
    return show(act, isAddress ? words.unknownAddress : wordsOf(refusal, language));
  }
}
