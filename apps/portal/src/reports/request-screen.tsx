import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ReportList } from './report-list.tsx';
import { RequestForm } from './request-form.tsx';

/** The form for a report on a person, and a list of existing reports. */
export function RequestScreen(props: {
  readonly personId: string;
  readonly period: string;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('reports.title')} description={t('reports.description')} />
      <Container>
        <RequestForm {...props} />
      </Container>
      <ReportList personId={props.personId} />
    </SpaceBetween>
  );
}
