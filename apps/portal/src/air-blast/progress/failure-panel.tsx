import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { FailureTable } from './failure-table.tsx';
import { RollBackDialog } from '../roll-back-dialog.tsx';
import { useRefreshOnSettled } from './use-refresh-on-settled.ts';

/** A failed stage (8002), with its evidence and all possible actions. */
export function FailurePanel({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const after = useRefreshOnSettled();
  const [asksRollBack, setAsksRollBack] = useState(false);
  const retry = useMutation(api.airBlast.retry.mutationOptions(after));
  const leaveOut = useMutation(api.airBlast.leaveOutFailed.mutationOptions(after));
  const hasFailed = run.state === 'failed' && run.stepState === 'failed';
  const result = useQuery(
    api.airBlast.getResult.queryOptions(
      { id: run.id },
      { enabled: hasFailed && run.step !== 'preflight' },
    ),
  );
  if (!hasFailed) return null;
  const evidence = run.steps.findLast(({ step }) => step === run.step)?.evidence ?? {};
  const number = (name: string): number =>
    typeof evidence[name] === 'number' ? evidence[name] : 0;
  const planChanged = run.stateReason === 'plan-changed';
  const error = retry.error ?? leaveOut.error;
  const step = t(`airBlast.step.${run.step}`);
  return (
    <SpaceBetween size="m">
      <Alert
        type="error"
        header={
          planChanged
            ? t('airBlast.planChanged')
            : t('airBlast.failed', { failed: number('failed'), total: number('total'), step })
        }
      >
        <SpaceBetween size="s">
          <span>
            {planChanged
              ? t(run.may.edit ? 'airBlast.planChangedEdit' : 'airBlast.planChangedAbort')
              : t(`airBlast.failedBecause.${run.step === 'plan' ? 'canary' : run.step}`)}
          </span>
          <SpaceBetween direction="horizontal" size="xs">
            {run.may.retry ? (
              <Button loading={retry.isPending} onClick={() => retry.mutate({ id: run.id })}>
                {t('airBlast.act.retry')}
              </Button>
            ) : null}
            {run.may.leaveOut ? (
              <Button loading={leaveOut.isPending} onClick={() => leaveOut.mutate({ id: run.id })}>
                {t(run.step === 'verify' ? 'airBlast.act.accept' : 'airBlast.act.leaveOut')}
              </Button>
            ) : null}
            {run.may.rollBack ? (
              <Button onClick={() => setAsksRollBack(true)}>{t('airBlast.act.rollBack')}</Button>
            ) : null}
          </SpaceBetween>
          {run.may.leaveOut && run.step !== 'verify' ? (
            <span>
              {t(run.needsApproval ? 'airBlast.leaveOutApproval' : 'airBlast.leaveOutEffect')}
            </span>
          ) : null}
          {error === null ? null : <ErrorView error={error} place="inline" />}
        </SpaceBetween>
      </Alert>
      {result.data === undefined || result.data.failures.length === 0 ? null : (
        <FailureTable run={run} query={result} />
      )}
      {asksRollBack ? <RollBackDialog run={run} onClose={() => setAsksRollBack(false)} /> : null}
    </SpaceBetween>
  );
}
