import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { InvocationDetail } from '@deviceportal/contract/commands';
import { errorCatalogue, PortalError } from '@deviceportal/contract/errors';
import { isFinal } from '@deviceportal/contract/states';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { lastLines } from './last-lines.ts';
import type { InvocationOutput } from './use-invocation.ts';

export interface InvocationNoticesProps {
  readonly invocation: InvocationDetail;
  readonly output: InvocationOutput;
  readonly onCheck: () => void;
}

const SHOWN_LINES = 20;

/** What a person must know about a result: it failed and why, it waits for the device, nothing was heard of it. */
export function InvocationNotices(props: InvocationNoticesProps): ReactNode {
  const { invocation, onCheck } = props;
  if (invocation.state === 'Failed' || invocation.state === 'TimedOut')
    return <Failure {...props} />;
  if (isFinal(invocation.state)) return null;
  if (invocation.waitFailed) {
    return (
      <ErrorView error={new PortalError('invocationWaitFailed')} place="alert" onRetry={onCheck} />
    );
  }
  return <Waiting invocation={invocation} />;
}

/** 4000: the exit code and the last lines at once, for the reason is nearly always there. */
function Failure({ invocation, output }: InvocationNoticesProps): ReactNode {
  const t = useT();
  const { stderr, stdout } = output;
  const reasons = invocation.steps.flatMap((step) => (step.reason === null ? [] : [step.reason]));
  const lines = lastLines(stderr.text.trim() === '' ? stdout.text : stderr.text, SHOWN_LINES);
  return (
    <Alert
      type="error"
      header={t('shell.error.commandFailed.title', { command: invocation.command })}
    >
      <SpaceBetween size="xs">
        <div>
          {t('shell.error.commandFailed.body', {
            serialNumber: invocation.serialNumber ?? 'none',
            exitCode: invocation.responseCode === null ? 'none' : String(invocation.responseCode),
          })}
        </div>
        {reasons.map((reason) => (
          <div key={reason}>{reason}</div>
        ))}
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
          {t('shell.error.reference', {
            code: errorCatalogue.commandFailed.code,
            requestId: invocation.id,
          })}
        </Box>
      </SpaceBetween>
    </Alert>
  );
}

function Waiting({ invocation }: { readonly invocation: InvocationDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const undelivered = invocation.state === 'Pending' || invocation.state === 'Delayed';
  if (!undelivered || invocation.deviceOnline) return null;
  const until = format.absolute(Date.parse(invocation.deliverBefore));
  return <Alert type="info">{t('commands.review.offline', { until })}</Alert>;
}
