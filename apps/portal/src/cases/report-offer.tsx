import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { personLabel } from '@deviceportal/contract/people';
import { useT } from '../i18n/use-t.ts';
import { reportHref } from '../reports/report-href.ts';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { useViewer } from '../session/viewer-context.tsx';

/**
 * Links to the user report for the person and duration of the case. Closing the case creates it.
 */
export function ReportOffer({ found }: { readonly found: CaseDetail }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('reports:create') || found.closedAt === null) return null;
  if (found.reportId !== null) {
    return (
      <Alert
        type="success"
        action={
          <Button href={reportHref(found.reportId)} onFollow={followWithRouter}>
            {t('cases.report.open')}
          </Button>
        }
      >
        {t('cases.report.written')}
      </Alert>
    );
  }
  const range = `${found.openedAt}..${found.closedAt}`;
  const href = `/reports/user-report?person=${found.person.id}&t=${encodeURIComponent(range)}`;
  return (
    <Alert
      type="info"
      action={
        <Button href={href} onFollow={followWithRouter}>
          {t('cases.report.write')}
        </Button>
      }
    >
      {t('cases.report.offer', { name: personLabel(found.person) })}
    </Alert>
  );
}
