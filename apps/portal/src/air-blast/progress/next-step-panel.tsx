import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import {
  AIR_BLAST_NEXT_STEP_VALIDITY_MS,
  AIR_BLAST_ROLE_SESSION_SECONDS,
} from '@deviceportal/contract/constants';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { Countdown } from './countdown.tsx';
import { StartButton } from '../start-button.tsx';
import { useRemainingMs } from './use-remaining-ms.ts';
import { useRefreshOnSettled } from './use-refresh-on-settled.ts';

/**
 * The remaining time of the role and of the authorization, and the button that starts the next
 * stage.
 */
export function NextStepPanel({ run }: { readonly run: AirBlastDetail }): ReactNode {
  return run.mine && run.endedAt === null ? <Operator run={run} /> : null;
}

function Operator({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const after = useRefreshOnSettled();
  const assume = useMutation(api.airBlast.assumeRole.mutationOptions(after));
  const renew = useMutation(api.airBlast.renewToken.mutationOptions(after));
  const roleLeftMs = useRemainingMs(run.roleExpiresAt);
  const tokenLeftMs = useRemainingMs(run.nextStep?.expiresAt ?? null);
  const { id, nextStep } = run;
  const hasRole = roleLeftMs > 0;
  return (
    <Container
      header={
        <Header variant="h2" description={t(`airBlast.now.${situationOf(run)}`)}>
          {t('airBlast.goOn')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <div className="dp-countdowns">
          <Countdown
            label={t('airBlast.roleClock')}
            leftMs={roleLeftMs}
            ofMs={AIR_BLAST_ROLE_SESSION_SECONDS * 1_000}
            out={t('airBlast.roleOut')}
            action={
              <Button
                {...(hasRole ? {} : { variant: 'primary' as const })}
                loading={assume.isPending}
                onClick={() => assume.mutate({ id })}
              >
                {t(hasRole ? 'airBlast.renewRole' : 'airBlast.assumeRole')}
              </Button>
            }
          />
          {nextStep === null ? null : (
            <Countdown
              label={t('airBlast.tokenClock')}
              leftMs={tokenLeftMs}
              ofMs={AIR_BLAST_NEXT_STEP_VALIDITY_MS}
              out={t('airBlast.tokenOut')}
              action={
                <Button loading={renew.isPending} onClick={() => renew.mutate({ id })}>
                  {t('airBlast.renewToken')}
                </Button>
              }
            />
          )}
        </div>
        {assume.isError ? <ErrorView error={assume.error} place="alert" /> : null}
        {renew.isError ? <ErrorView error={renew.error} place="alert" /> : null}
        {nextStep !== null && hasRole && tokenLeftMs <= 0 ? (
          <Alert type="warning">{t('airBlast.tokenRanOut')}</Alert>
        ) : null}
        <StartButton
          run={run}
          missing={!hasRole ? 'noRole' : tokenLeftMs <= 0 ? 'noToken' : null}
        />
      </SpaceBetween>
    </Container>
  );
}

/** The most important fact for the operator. */
function situationOf(
  run: AirBlastDetail,
): 'paused' | 'approval' | 'approvalFirst' | 'failed' | 'running' | 'rejected' | 'next' {
  if (run.state === 'paused') return 'paused';
  if (run.state === 'approval') return run.step === 'preflight' ? 'approvalFirst' : 'approval';
  if (run.state === 'failed') return run.stepState === 'failed' ? 'failed' : 'rejected';
  return run.stepState === 'running' ? 'running' : 'next';
}
