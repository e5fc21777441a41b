import type { DocumentState } from '@deviceportal/contract/states';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import type { Translate } from '../../i18n/use-t.ts';

interface NotRunnableWords {
  readonly header: string;
  readonly content: string;
}

/** Why a version does not run, and whom to ask. */
function notRunnableWords(
  {
    state,
    version,
    roles,
  }: {
    readonly state: Exclude<DocumentState, 'active'>;
    readonly version: number;
    /** Names of the roles that may approve, as a list. */
    readonly roles: string;
  },
  t: Translate,
): NotRunnableWords {
  return {
    header: t(`documents.notRunnable.${state}`),
    content:
      state === 'deprecated'
        ? t('commands.document.deprecatedVersion', { version })
        : t('documents.review.whoApproves', { roles: roles || 'documents:approve' }),
  };
}

/** The same of a refused run: it may have been approved when the form was opened. Null for every other error. */
export function notRunnableWordsOf(error: unknown, t: Translate): NotRunnableWords | null {
  const { facts } = portalErrorOf(error);
  const { state, version, approverRoles: roles } = facts;
  if (state !== 'draft' && state !== 'review' && state !== 'deprecated') return null;
  if (typeof roles !== 'string') return null;
  return notRunnableWords({ state, version: Number(version), roles }, t);
}
