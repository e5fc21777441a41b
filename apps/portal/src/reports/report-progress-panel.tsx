import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Steps from '@cloudscape-design/components/steps';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reportSteps, type ReportRow, type ReportStep } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** The progress of a report. The user can leave the page. */
export function ReportProgressPanel({
  row,
  onCancelled,
}: {
  readonly row: ReportRow;
  readonly onCancelled: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const showError = useErrorFlash();
  const cancel = useMutation(
    api.reports.cancel.mutationOptions({ onError: showError, onSuccess: onCancelled }),
  );
  const wordsOf = (step: ReportStep): string => {
    const found = row.progress.find((one) => one.step === step);
    const words = t(`reports.step.${step}`);
    return found?.count == null ? words : `${words}: ${format.number(found.count)}`;
  };
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Button loading={cancel.isPending} onClick={() => cancel.mutate({ id: row.id })}>
              {t('reports.cancel')}
            </Button>
          }
        >
          {t('reports.working')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Steps
          ariaLabel={t('reports.working')}
          steps={reportSteps.map((step) => {
            const found = row.progress.find((one) => one.step === step);
            const status = found?.endedAt ? 'success' : found ? 'loading' : 'pending';
            return {
              header: wordsOf(step),
              status,
              statusIconAriaLabel: t(`reports.stepState.${status}`),
            } as const;
          })}
        />
        <Box color="text-body-secondary">{t('reports.mayLeave')}</Box>
      </SpaceBetween>
    </Container>
  );
}
