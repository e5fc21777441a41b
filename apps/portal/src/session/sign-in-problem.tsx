import { PortalError } from '@deviceportal/contract/errors';
import type { Translate } from '../i18n/use-t.ts';
import { SignInLimitError, SignInServiceError } from './sign-in-error.ts';

/** What a failed step says; `field` stands under the input, `card` above the form. */
export interface SignInProblem {
  readonly place: 'field' | 'card';
  readonly text: string;
}

/** The reactions of screens section 4 to the sign-in codes 3000, 3002 and 3003 and to a failing service. */
export function signInProblem(
  error: unknown,
  t: Translate,
  facts: { readonly identifier: string; readonly answering: boolean },
): SignInProblem {
  if (error instanceof SignInLimitError) return { place: 'card', text: t('session.problem.limit') };
  if (error instanceof SignInServiceError) {
    return { place: 'card', text: t('session.problem.service', { name: error.exception }) };
  }
  const code = error instanceof PortalError ? error.code : -1;
  if (code === 3000) {
    return {
      place: 'field',
      text: t('session.problem.noUser', { identifier: facts.identifier }),
    };
  }
  // Answering a code, the pool gives the same refusal when the tries are used up.
  if (code === 3002) {
    return {
      place: 'card',
      text: t(facts.answering ? 'session.problem.tooManyTries' : 'session.problem.notAuthorized'),
    };
  }
  if (code === 3003) return { place: 'card', text: t('session.problem.tookTooLong') };
  if (code === 2002) return { place: 'card', text: t('session.problem.noConnection') };
  return { place: 'card', text: t('session.problem.unknown') };
}
