import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { changedTargetOf } from '../target/changed-target.ts';
import { targetErrors } from '../target/target-section.tsx';
import { notRunnableWordsOf } from './not-runnable-words.ts';

/** The error of the last run, unless the devices or fields show it. */
export function FormError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  const { name, reason, issues } = portalErrorOf(error);
  if (targetErrors.has(name) || changedTargetOf(error) !== null) return null;
  if (isChangeLockRefusal(error)) return <Alert type="warning">{t('commands.busy.refused')}</Alert>;
  const refused = notRunnableWordsOf(error, t);
  if (refused !== null) {
    return (
      <Alert type="error" header={refused.header}>
        {refused.content}
      </Alert>
    );
  }
  if (reason === 'input-invalid' && issues.length > 0) {
    const other = issues.filter((issue) => issue.path[0] !== 'parameters' || issue.path.length < 2);
    if (other.length === 0)
      return <Alert type="error">{t('app.error.invalidParameters.body')}</Alert>;
    return (
      <Alert type="error" header={t('app.error.invalidParameters.title')}>
        <ul className="dp-command-list">
          {other.map((issue) => (
            <li key={issue.path.join('.')}>
              {issue.path.join('.')}: {issueText(issue, t)}
            </li>
          ))}
        </ul>
      </Alert>
    );
  }
  return <ErrorView error={error} place="alert" />;
}
