import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import Tabs from '@cloudscape-design/components/tabs';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi, useApiClient } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { WhyPanel } from '../../explanations/why-panel.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { EvidenceMenu } from '../../evidence/evidence-menu.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { wordOf } from '../../ui/status-of.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { commandHref } from '../command-href.ts';
import type { RunCopy } from '../form/run-copy.ts';
import { describeRun } from '../results/describe-result.ts';
import { ExportControl } from './export-control.tsx';
import { failedOf } from '../results/invocation-progress.ts';
import { InvocationTable } from '../results/invocation-table.tsx';
import { useRerunControl } from './rerun-control.tsx';
import type { Rerun } from './rerun.ts';
import { PauseControl } from './pause-control.tsx';
import { ResultActions } from '../results/result-actions.tsx';
import { RunApprovalPanel } from './run-approval-panel.tsx';
import { RunFacts } from './run-facts.tsx';
import { UndoControl } from './undo-control.tsx';
import { useFollowResult } from '../results/use-follow-result.tsx';
import { useRun } from './use-run.ts';
import { QueuedBehindAlert } from '../queued-behind-alert.tsx';

const AnswersPanel = lazy(async () => ({
  default: (await import('../results/answers-panel.tsx')).AnswersPanel,
}));

export interface RunResultProps {
  readonly id: string;
  readonly onRun: (run: RunDetail) => void;
  readonly onEdit: (copy: RunCopy) => void;
  readonly onInvocation: (id: string) => void;
}

/** The result of a command on many devices: counts, progress, and devices. */
export function RunResult(props: RunResultProps): ReactNode {
  const t = useT();
  const query = useRun(props.id);
  if (query.data === undefined && query.isError) {
    return (
      <ErrorView
        error={query.error}
        place="alert"
        onRetry={() => void query.refetch()}
        actions={<PortalLink href="/commands">{t('commands.result.history')}</PortalLink>}
      />
    );
  }
  if (query.data === undefined) return <Spinner size="large" />;
  return (
    <Loaded
      {...props}
      run={query.data}
      updatedAtMs={query.dataUpdatedAt}
      refreshFailed={query.isRefetchError}
      onChange={() => void query.refetch()}
    />
  );
}

interface LoadedProps extends RunResultProps {
  readonly run: RunDetail;
  readonly updatedAtMs: number;
  readonly refreshFailed: boolean;
  readonly onChange: () => void;
}

/**
 * The number of open invocations, rounded up to a power of two, because counts change too often to
 * reload the reasons each time.
 */
function openness({ pending, inProgress }: RunDetail['counters']): string {
  const magnitude = (count: number): number => Math.ceil(Math.log2(count + 1));
  return pending > 0 ? `pending ${magnitude(pending)}` : `running ${magnitude(inProgress)}`;
}

function Loaded(props: LoadedProps): ReactNode {
  const { run, onInvocation } = props;
  const t = useT();
  const language = useLanguage();
  useFollow(run);
  return (
    <SpaceBetween size="l">
      <RunApprovalPanel runId={run.id} consequence={run.consequence} />
      <Container header={<ResultHeader {...props} />}>
        <RunFacts
          run={run}
          updatedAtMs={props.updatedAtMs}
          refreshFailed={props.refreshFailed}
          notices={
            <>
              {run.state === 'Approval' ? null : (
                <WhyPanel
                  of={{ kind: 'run', id: run.id }}
                  revision={`${run.statusDetails} ${openness(run.counters)}`}
                  isSettled={isFinal(run.state)}
                />
              )}
              <QueuedBehindAlert runId={run.id} isOpen={!isFinal(run.state)} />
            </>
          }
        />
        <LiveRegion hidden>
          {t('commands.result.announce', {
            command: run.command,
            target: t('commands.target.count', { count: run.counters.target }),
            state: wordOf('statusDetails', run.statusDetails, language),
          })}
        </LiveRegion>
      </Container>
      <Tabs
        tabs={[
          {
            id: 'devices',
            label: t('commands.devices.title'),
            content: (
              <InvocationTable
                runId={run.id}
                running={!isFinal(run.state)}
                revision={JSON.stringify(run.counters)}
                onOpen={onInvocation}
              />
            ),
          },
          {
            id: 'answers',
            label: t('commands.answers.title'),
            content: (
              <Suspense fallback={<Spinner />}>
                <AnswersPanel run={run} onRun={props.onRun} />
              </Suspense>
            ),
          },
        ]}
      />
    </SpaceBetween>
  );
}

function ResultHeader({ run, onRun, onEdit, onChange }: LoadedProps): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const { detail, mayRun } = useViewer();
  const again = useRerunControl(onRun);
  const cancel = useMutation(
    api.commands.cancelRun.mutationOptions({ onError: showError, onSuccess: onChange }),
  );
  const allowed = mayRun(run.command, run.consequence);
  const reason = allowed
    ? undefined
    : t('app.needsPermission', { permission: `commands:run:${run.command}` });
  const failed = failedOf(run.counters) + run.counters.cancelled;
  const rerun = (onlyFailed: boolean): Rerun => ({
    runId: run.id,
    command: run.command,
    consequence: run.consequence,
    target: onlyFailed ? failed : run.counters.target,
    onlyFailed,
  });
  return (
    <>
      <Header
        variant="h2"
        actions={
          <ResultActions
            onCancel={run.cancellable && allowed ? () => cancel.mutate({ id: run.id }) : undefined}
            cancelling={cancel.isPending}
            againBusy={again.busy}
            againDisabledReason={reason}
            onAgain={() => again.start(rerun(false))}
            onEdit={() =>
              onEdit({
                parameters: run.parameters,
                comment: run.comment,
                document: `${run.documentName}:${run.documentVersion}`,
              })
            }
            textToCopy={() => describeRun(run, { url: location.href })}
          >
            <ExportControl runId={run.id} />
            <EvidenceMenu kind="run" id={run.id} isOwn={run.createdBy === detail.username} />
            <UndoControl
              command={run.command}
              runId={run.id}
              deviceId={null}
              ended={isFinal(run.state)}
            />
            {allowed ? <PauseControl run={run} onChange={onChange} /> : null}
            {failed === 0 || !isFinal(run.state) || !allowed ? null : (
              <Button onClick={() => again.start(rerun(true))} loading={again.busy}>
                {t('commands.result.retryFailed', { count: failed })}
              </Button>
            )}
          </ResultActions>
        }
      >
        {t('commands.result.title')}
      </Header>
      {again.dialog}
    </>
  );
}

function useFollow(run: RunDetail): void {
  const t = useT();
  const client = useApiClient();
  const { id, command, state } = run;
  useFollowResult(id, {
    id,
    state,
    command,
    target: t('commands.target.count', { count: run.counters.target }),
    href: commandHref(command, { run: id }),
    ask: async () => (await client.commands.getRun.query({ id })).state,
  });
}
