import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { mustTypeCount } from '@deviceportal/contract/air-blast-typed-count';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PlanWarnings } from './plan/plan-warnings.tsx';
import { useRefreshOnSettled } from './progress/use-refresh-on-settled.ts';

export interface StartButtonProps {
  readonly run: AirBlastDetail;
  /** What the operator lacks to start the stage. */
  readonly missing: 'noRole' | 'noToken' | null;
}

/**
 * Starts the next stage. A stage that changes devices asks for confirmation, and the rollout stage
 * for the number of devices.
 */
export function StartButton({ run, missing }: StartButtonProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [asks, setAsks] = useState(false);
  const after = useRefreshOnSettled();
  const start = useMutation(
    api.airBlast.startStep.mutationOptions({ ...after, onSuccess: () => setAsks(false) }),
  );
  const { nextStep } = run;
  const failure = start.isError ? <StartFailure error={start.error} /> : null;
  if (nextStep === null) return failure;
  const { step, devices } = nextStep;
  const send = (confirmation: string): void =>
    start.mutate({ id: run.id, step, token: nextStep.token ?? '', confirmation });
  const typesCount = devices > 0 && mustTypeCount(run, step);
  const needsConfirmation =
    devices > 0 && (typesCount || step === 'blast' || run.consequence === 'disrupts');
  return (
    <SpaceBetween size="s">
      {asks ? null : failure}
      <Button
        variant={missing === 'noRole' ? 'normal' : 'primary'}
        disabled={missing !== null}
        {...(missing === null ? {} : { disabledReason: t(`airBlast.${missing}`) })}
        loading={start.isPending}
        onClick={() => (needsConfirmation ? setAsks(true) : send(''))}
      >
        {t(`airBlast.start.${step}`)}
      </Button>
      {asks ? (
        <ConfirmDialog
          title={t(`airBlast.start.${step}`)}
          confirmLabel={t(`airBlast.start.${step}`)}
          {...(typesCount ? { typed: String(devices) } : {})}
          busy={start.isPending}
          error={failure}
          onConfirm={send}
          onCancel={() => setAsks(false)}
        >
          <SpaceBetween size="s">
            <span>
              {t(run.consequence === 'reads' ? 'airBlast.confirmReads' : 'airBlast.confirm', {
                change: run.change,
                count: devices,
              })}
            </span>
            <PlanWarnings run={run} />
          </SpaceBetween>
        </ConfirmDialog>
      ) : null}
    </SpaceBetween>
  );
}

/**
 * 8001 is not a failure: the rollout has already advanced, and the screen shows its current stage.
 * 8000 means that nothing was sent.
 */
function StartFailure({ error }: { readonly error: unknown }): ReactNode {
  const { facts, name, reason } = portalErrorOf(error);
  const t = useT();
  const format = useFormat();
  if (name === 'airBlastStepAlreadyDone') {
    const { step, by, at } = facts;
    return (
      <Alert type="info">
        {t('airBlast.doneBy', {
          step: t(`airBlast.step.${String(step)}` as MessageKey),
          by: String(by ?? ''),
          at: typeof at === 'string' ? format.absolute(Date.parse(at)) : '',
        })}
      </Alert>
    );
  }
  if (name === 'airBlastTokenExpired') {
    const isOther = reason === 'target-set-changed';
    return (
      <Alert type="warning">{t(isOther ? 'airBlast.setChanged' : 'airBlast.tokenRanOut')}</Alert>
    );
  }
  return <ErrorView error={error} place="alert" />;
}
