import type { DocumentState } from '@deviceportal/contract/states';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import type { Translate } from '../../i18n/use-t.ts';

interface NotRunnableWords {
  readonly header: string;
  readonly content: string;
}

/** The reason for which a version cannot be run, and who can change that. */
function notRunnableWords(
  {
    state,
    version,
    roles,
  }: {
    readonly state: Exclude<DocumentState, 'active'>;
    readonly version: number;
    /** Names of the roles that can approve, joined to a list. */
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

/**
 * The same text for a rejected run whose version changed after the form was opened. Null for other
 * errors.
 */
export function notRunnableWordsOf(error: unknown, t: Translate): NotRunnableWords | null {
  const { facts } = portalErrorOf(error);
  const { state, version, approverRoles: roles } = facts;
  if (state !== 'draft' && state !== 'review' && state !== 'deprecated') return null;
  if (typeof roles !== 'string') return null;
  return notRunnableWords({ state, version: Number(version), roles }, t);
}
