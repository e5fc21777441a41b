import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { errorCatalog, PortalError } from '@deviceportal/contract/errors';
import { isFinal } from '@deviceportal/contract/states';
import { useT } from '../../i18n/use-t.ts';
import { WhyPanel } from '../../explanations/why-panel.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { lastLines } from './last-lines.ts';
import { QueuedBehindAlert } from '../queued-behind-alert.tsx';
import type { InvocationOutput } from './use-invocation.ts';

export interface InvocationNoticesProps {
  readonly invocation: InvocationDetail;
  readonly output: InvocationOutput;
  readonly onCheck: () => void;
}

const SHOWN_LINES = 20;

/** Notices about a result: failure with its reason, offline device, or lost contact. */
export function InvocationNotices(props: InvocationNoticesProps): ReactNode {
  const { invocation, onCheck } = props;
  const why = <WhyInvocation invocation={invocation} />;
  if (invocation.state === 'Failed' || invocation.state === 'TimedOut') {
    return (
      <SpaceBetween size="s">
        <Failure {...props} />
        {why}
      </SpaceBetween>
    );
  }
  if (!isFinal(invocation.state) && invocation.waitFailed) {
    return (
      <SpaceBetween size="s">
        <ErrorView
          error={new PortalError('invocationWaitFailed')}
          place="alert"
          onRetry={onCheck}
        />
        {why}
      </SpaceBetween>
    );
  }
  if (invocation.state === 'Success') return null;
  return (
    <SpaceBetween size="s">
      <QueuedBehindAlert runId={invocation.runId} isOpen={!isFinal(invocation.state)} />
      {why}
    </SpaceBetween>
  );
}

/**
 * Error 4000: shows the exit code and the last lines of the output, which usually contain the
 * reason.
 */
function Failure({ invocation, output }: InvocationNoticesProps): ReactNode {
  const t = useT();
  const { stderr, stdout } = output;
  const lines = lastLines(stderr.text.trim() === '' ? stdout.text : stderr.text, SHOWN_LINES);
  return (
    <Alert
      type="error"
      header={t('app.error.commandFailed.title', { command: invocation.command })}
    >
      <SpaceBetween size="xs">
        <div>
          {t('app.error.commandFailed.body', {
            serialNumber: invocation.serialNumber ?? 'none',
            exitCode: invocation.responseCode === null ? 'none' : String(invocation.responseCode),
          })}
        </div>
        <PhaseNote statusDetails={invocation.statusDetails} />
        {lines === '' ? null : (
          <pre
            className="dp-command-lines"
            tabIndex={0}
            role="region"
            aria-label={t('commands.result.lastLines')}
          >
            {lines}
          </pre>
        )}
        <Box variant="small" color="text-body-secondary">
          {t('app.error.reference', {
            code: errorCatalog.commandFailed.code,
            requestId: invocation.id,
          })}
        </Box>
      </SpaceBetween>
    </Alert>
  );
}

/** Why the invocation is blocked, or why it ended in this state. */
function WhyInvocation({ invocation }: { readonly invocation: InvocationDetail }): ReactNode {
  const { id, statusDetails, startedAt, deviceOnline } = invocation;
  return (
    <WhyPanel
      of={{ kind: 'invocation', id }}
      revision={`${statusDetails} ${startedAt ?? ''} ${deviceOnline}`}
      isSettled={isFinal(invocation.state)}
    />
  );
}

/**
 * What the failed phase means for the device: unchanged, or changed without the intended effect.
 */
function PhaseNote({ statusDetails }: Pick<InvocationDetail, 'statusDetails'>): ReactNode {
  const t = useT();
  if (statusDetails === 'Pre-check Failed')
    return <div>{t('commands.phases.preCheck.failed')}</div>;
  if (statusDetails === 'Verify Failed') return <div>{t('commands.phases.verify.failed')}</div>;
  return null;
}
