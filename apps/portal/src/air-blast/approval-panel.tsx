import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { ChangeFacts } from './change-facts.tsx';
import { ChangesSinceApproval } from './plan/changes-since-approval.tsx';
import { PlanDocuments } from './plan-documents.tsx';
import { PlanStrategyFacts } from './plan-strategy-facts.tsx';
import { useRefreshOnSettled } from './progress/use-refresh-on-settled.ts';

/** A part of what an approval covers. */
function Approved({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section>
      <Box variant="h3" padding={{ bottom: 'xs' }}>
        {title}
      </Box>
      {children}
    </section>
  );
}

/**
 * What an approver signs: the whole effect, identified by one hash, and the changes since an
 * earlier approval.
 */
export function ApprovalPanel({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const after = useRefreshOnSettled();
  const [comment, setComment] = useState('');
  const approve = useMutation(api.airBlast.approve.mutationOptions(after));
  const reject = useMutation(api.airBlast.reject.mutationOptions(after));
  if (!run.may.approve) return null;
  const { id, planSha256 } = run;
  const decision = { id, planSha256, comment };
  const error = approve.error ?? reject.error;
  const busy = approve.isPending || reject.isPending;
  return (
    <Container
      header={
        <Header variant="h2" description={t('airBlast.approvalAsked', { operator: run.operator })}>
          {t('airBlast.approvalTitle')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <ChangeFacts run={run} />
        <Approved title={t('airBlast.documents')}>
          <PlanDocuments run={run} />
        </Approved>
        <Approved title={t('airBlast.care')}>
          <PlanStrategyFacts run={run} />
        </Approved>
        <ChangesSinceApproval run={run} />
        <FormField label={t('airBlast.comment')} stretch>
          <Input
            value={comment}
            onChange={({ detail }) => setComment(detail.value.slice(0, 500))}
          />
        </FormField>
        {error === null ? null : <ErrorView error={error} place="alert" />}
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            loading={approve.isPending}
            disabled={busy}
            onClick={() => approve.mutate(decision)}
          >
            {t('airBlast.act.approve')}
          </Button>
          <Button
            loading={reject.isPending}
            disabled={busy}
            onClick={() => reject.mutate(decision)}
          >
            {t('airBlast.act.reject')}
          </Button>
        </SpaceBetween>
        <Box color="text-body-secondary" fontSize="body-s">
          {t('airBlast.approvalMeans')}
        </Box>
      </SpaceBetween>
    </Container>
  );
}
