import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { RunApproval } from '@deviceportal/contract/run-approvals';
import { EffectChangeList } from '../../air-blast/plan/effect-change-list.tsx';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { TargetReach } from '../target/target-reach.tsx';
import { refreshMs } from '../../live/refresh-policy.ts';

/** The pending or past approval of a run. Renders nothing for a run that needs none. */
export function RunApprovalPanel(props: {
  readonly runId: string;
  readonly consequence: Consequence;
}): ReactNode {
  const api = useApi();
  const { data } = useQuery(
    api.commands.getApproval.queryOptions(
      { id: props.runId },
      {
        enabled: props.consequence !== 'reads',
        staleTime: 0,
        refetchInterval: ({ state }) => (isWaiting(state.data) ? refreshMs.work : false),
      },
    ),
  );
  if (data === undefined || data === null) return null;
  if (data.decision !== null) return <Decided decision={data.decision} />;
  return isWaiting(data) ? <Waiting approval={data} consequence={props.consequence} /> : null;
}

const isWaiting = (approval: RunApproval | null | undefined): boolean =>
  approval?.decision === null && approval.hindrance !== 'over';

function Decided({
  decision: { verdict, by, at, comment },
}: {
  readonly decision: NonNullable<RunApproval['decision']>;
}): ReactNode {
  const t = useT();
  return (
    <Box>
      <StatusIndicator type={verdict === 'approved' ? 'success' : 'error'}>
        {t(`commands.approval.${verdict}`, { by })}
      </StatusIndicator>{' '}
      <Time at={at} />
      {comment === '' ? null : <Box color="text-body-secondary">{comment}</Box>}
    </Box>
  );
}

function Waiting({
  approval,
  consequence,
}: {
  readonly approval: RunApproval;
  readonly consequence: Consequence;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const { changes, reach, requestedBy } = approval;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('commands.approval.requested', {
            by: requestedBy,
            time: format.absolute(Date.parse(approval.expiresAt)),
          })}
        >
          {t('commands.approval.title')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <SpaceBetween direction="horizontal" size="xs" alignItems="center">
          <ConsequenceBadge consequence={consequence} />
          <span>{t(`commands.effect.${consequence}`)}</span>
        </SpaceBetween>
        {reach === null ? null : (
          <div>
            <Box variant="strong">{t('commands.target.count', { count: reach.count })}</Box>
            <TargetReach preview={reach} />
          </div>
        )}
        {changes.length === 0 ? null : (
          <Alert type="warning" header={t('commands.approval.changed')}>
            <EffectChangeList changes={changes} />
          </Alert>
        )}
        <Box color="text-body-secondary" fontSize="body-s">
          {t('commands.approval.sha256')}{' '}
          <code className="dp-command-sha256">{approval.effectSha256}</code>
        </Box>
        {approval.hindrance === null ? (
          <Decision approval={approval} />
        ) : (
          <Box color="text-body-secondary">{t(`commands.approval.${approval.hindrance}`)}</Box>
        )}
      </SpaceBetween>
    </Container>
  );
}

function Decision({ approval }: { readonly approval: RunApproval }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [comment, setComment] = useState('');
  const after = { onSettled: () => queryClient.invalidateQueries(api.commands.pathFilter()) };
  const approve = useMutation(api.commands.approveRun.mutationOptions(after));
  const reject = useMutation(api.commands.rejectRun.mutationOptions(after));
  const decision = { id: approval.runId, effectSha256: approval.effectSha256, comment };
  const error = approve.error ?? reject.error;
  const busy = approve.isPending || reject.isPending;
  return (
    <SpaceBetween size="m">
      <FormField label={t('commands.options.comment')} stretch>
        <Input value={comment} onChange={({ detail }) => setComment(detail.value.slice(0, 500))} />
      </FormField>
      {error === null ? null : <ErrorView error={error} place="alert" />}
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant="primary"
          loading={approve.isPending}
          disabled={busy || approval.changes.length > 0}
          onClick={() => approve.mutate(decision)}
        >
          {t('commands.approval.approve')}
        </Button>
        <Button loading={reject.isPending} disabled={busy} onClick={() => reject.mutate(decision)}>
          {t('commands.approval.reject')}
        </Button>
      </SpaceBetween>
      <Box color="text-body-secondary" fontSize="body-s">
        {t('commands.approval.means')}
      </Box>
    </SpaceBetween>
  );
}
