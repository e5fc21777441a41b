import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { RunDetail } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi, useApiClient } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { EvidenceMenu } from '../../evidence/evidence-menu.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { wordOf } from '../../ui/status-of.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { commandHref } from '../command-href.ts';
import type { RunCopy } from '../form/run-copy.ts';
import { describeInvocation } from './describe-result.ts';
import { ArtifactList } from './artifact-list.tsx';
import { InvocationFacts, InvocationStateLine } from './invocation-facts.tsx';
import { InvocationNotices } from './invocation-notices.tsx';
import { NextRemedies } from './next-remedies.tsx';
import { OutputView } from './output-view.tsx';
import { useRerunControl } from '../runs/rerun-control.tsx';
import { ResultActions } from './result-actions.tsx';
import { RunApprovalPanel } from '../runs/run-approval-panel.tsx';
import { StepTable } from './step-table.tsx';
import { UndoControl } from '../runs/undo-control.tsx';
import { useFollowResult } from './use-follow-result.tsx';
import { useInvocation, type InvocationOutput, type WatchedInvocation } from './use-invocation.ts';

export interface InvocationResultProps {
  readonly id: string;
  /** Set if the result was opened from a run on many devices. */
  readonly runId: string;
  readonly onRun: (run: RunDetail) => void;
  readonly onEdit: (copy: RunCopy) => void;
  readonly onBack: () => void;
}

/** The result of a command on one device, in place of the form. */
export function InvocationResult(props: InvocationResultProps): ReactNode {
  const t = useT();
  const watched = useInvocation(props.id);
  const { query } = watched;
  if (query.data === undefined && query.isError) {
    return (
      <ErrorView
        error={query.error}
        place="alert"
        onRetry={() => void query.refetch()}
        actions={
          <SpaceBetween direction="horizontal" size="s" alignItems="center">
            <Button onClick={props.onBack}>{t('commands.result.backToForm')}</Button>
            <PortalLink href="/commands">{t('commands.result.history')}</PortalLink>
            <PortalLink href="/audit-trail/device">{t('commands.result.auditTrail')}</PortalLink>
          </SpaceBetween>
        }
      />
    );
  }
  if (query.data === undefined) return <Spinner size="large" />;
  return <Loaded {...props} watched={watched} invocation={query.data} />;
}

interface LoadedProps extends InvocationResultProps {
  readonly watched: WatchedInvocation;
  readonly invocation: InvocationDetail;
}

function Loaded(props: LoadedProps): ReactNode {
  const { invocation, watched } = props;
  const t = useT();
  const { output, query } = watched;
  const running = !isFinal(invocation.state);
  useFollow(invocation);
  return (
    <SpaceBetween size="l">
      <RunApprovalPanel runId={invocation.runId} consequence={invocation.consequence} />
      <Container header={<ResultHeader {...props} />}>
        <SpaceBetween size="m">
          <InvocationStateLine
            namesDevice
            invocation={invocation}
            refreshFailed={query.isRefetchError}
            updatedAtMs={query.dataUpdatedAt}
          />
          <InvocationNotices
            invocation={invocation}
            output={output}
            onCheck={() => void query.refetch()}
          />
        </SpaceBetween>
        <Announcement invocation={invocation} />
      </Container>
      <Container header={<Header variant="h2">{t('commands.output.title')}</Header>}>
        <Outputs invocation={invocation} output={output} running={running} />
      </Container>
      <NextRemedies invocation={invocation} />
      {invocation.steps.length === 0 ? null : <StepTable steps={invocation.steps} />}
      {invocation.artifacts.length === 0 ? null : <ArtifactList artifacts={invocation.artifacts} />}
      <Container header={<Header variant="h2">{t('commands.result.details')}</Header>}>
        <InvocationFacts invocation={invocation} />
      </Container>
    </SpaceBetween>
  );
}

function Outputs({
  invocation,
  output,
  running,
}: {
  readonly invocation: InvocationDetail;
  readonly output: InvocationOutput;
  readonly running: boolean;
}): ReactNode {
  const fileName = `${invocation.command.replace('/', '-')}-${invocation.serialNumber ?? invocation.deviceId}`;
  return (
    <SpaceBetween size="l">
      <OutputView stream="stdout" output={output.stdout} running={running} fileName={fileName} />
      {output.stderr.text === '' ? null : (
        <OutputView stream="stderr" output={output.stderr} running={running} fileName={fileName} />
      )}
    </SpaceBetween>
  );
}

function ResultHeader(props: LoadedProps): ReactNode {
  const { invocation, watched, onRun, onEdit } = props;
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const { mayRun } = useViewer();
  const again = useRerunControl(onRun);
  const cancel = useMutation(
    api.commands.cancelInvocation.mutationOptions({
      onError: showError,
      onSuccess: () => void watched.query.refetch(),
    }),
  );
  const allowed = mayRun(invocation.command, invocation.consequence);
  const copyOf = (deviceId: string): RunCopy => ({
    parameters: invocation.parameters,
    comment: invocation.comment,
    document: `${invocation.documentName}:${invocation.documentVersion}`,
    deviceId,
  });
  return (
    <>
      <Header
        variant="h2"
        actions={
          <ResultActions
            onCancel={
              isFinal(invocation.state) || invocation.state === 'Cancelling' || !allowed
                ? undefined
                : () => cancel.mutate({ id: invocation.id })
            }
            cancelling={cancel.isPending}
            againBusy={again.busy}
            againDisabledReason={
              allowed
                ? undefined
                : t('app.needsPermission', { permission: `commands:run:${invocation.command}` })
            }
            onAgain={() =>
              again.start({
                runId: invocation.runId,
                command: invocation.command,
                consequence: invocation.consequence,
                target: invocation.serialNumber ?? invocation.deviceName,
                onlyFailed: false,
              })
            }
            onEdit={() => onEdit(copyOf(invocation.deviceId))}
            onOtherDevice={() => onEdit(copyOf(''))}
            textToCopy={() =>
              describeInvocation(invocation, {
                url: location.href,
                stdout: watched.output.stdout.text,
                stderr: watched.output.stderr.text,
              })
            }
          >
            <MoreActions {...props} />
          </ResultActions>
        }
      >
        {t('commands.result.title')}
      </Header>
      {again.dialog}
    </>
  );
}

/** Evidence, undo, and the way back to a run on several devices. */
function MoreActions({ invocation, runId, onBack }: LoadedProps): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <EvidenceMenu
        kind="invocation"
        id={invocation.id}
        isOwn={invocation.createdBy === detail.username}
      />
      <UndoControl
        command={invocation.command}
        runId={invocation.runId}
        deviceId={invocation.deviceId}
        ended={isFinal(invocation.state)}
      />
      {runId === '' ? null : (
        <Button iconName="angle-left" onClick={onBack}>
          {t('commands.result.backToRun')}
        </Button>
      )}
    </SpaceBetween>
  );
}

/** Announces changes of the state to screen readers, but not the elapsed seconds. */
function Announcement({ invocation }: { readonly invocation: InvocationDetail }): ReactNode {
  const t = useT();
  const language = useLanguage();
  return (
    <LiveRegion hidden>
      {t('commands.result.announce', {
        command: invocation.command,
        target: invocation.serialNumber ?? invocation.deviceName,
        state: wordOf('statusDetails', invocation.statusDetails, language),
      })}
    </LiveRegion>
  );
}

function useFollow(invocation: InvocationDetail): void {
  const client = useApiClient();
  const { id, command, state, deviceId } = invocation;
  useFollowResult(id, {
    id,
    state,
    command,
    target: invocation.serialNumber ?? invocation.deviceName,
    href: commandHref(command, { device: deviceId, invocation: id }),
    ask: async () => (await client.commands.getInvocation.query({ id })).state,
  });
}
