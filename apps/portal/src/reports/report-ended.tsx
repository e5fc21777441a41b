import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

const route = getRouteApi('/reports/user-report');

/** A report that failed, with the reason and a button to retry. */
export function ReportEnded({ row }: { readonly row: ReportRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const navigate = route.useNavigate();
  const showError = useErrorFlash();
  const again = useMutation(
    api.reports.request.mutationOptions({
      onError: showError,
      onSuccess: ({ reportId }) => void navigate({ search: { report: reportId } }),
    }),
  );
  const { personId, caseId, from, to, language, voice, paper, precise } = row;
  const isCancelled = row.state === 'cancelled';
  return (
    <Alert
      type={isCancelled ? 'info' : 'error'}
      header={t(isCancelled ? 'reports.cancelled' : 'reports.failed')}
      action={
        <Button
          loading={again.isPending}
          onClick={() =>
            again.mutate({
              ...{ personId, caseId, range: { from, to }, language, voice, paper },
              parts: [...row.parts],
              includePreciseLocation: precise,
            })
          }
        >
          {t('reports.again')}
        </Button>
      }
    >
      {isCancelled
        ? t('reports.cancelledBody')
        : t(row.failure === 'noPermission' ? 'reports.failed.rights' : 'reports.failed.unknown')}
    </Alert>
  );
}
