import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { AirBlastRow } from '@deviceportal/contract/air-blast';
import { useT } from '../i18n/use-t.ts';
import { StatusOf, type StatusOfProps } from '../ui/status-of.tsx';
import { useViewer } from '../session/viewer-context.tsx';

export interface AirBlastStatusProps {
  readonly run: AirBlastRow;
  readonly detail?: StatusOfProps<'airBlast'>['detail'];
}

const goesOn: ReadonlySet<AirBlastRow['state']> = new Set([
  'planned',
  'preflight',
  'canary',
  'blasting',
]);

/** The state of a rollout. Between two stages, it also names the user who has to act. */
export function AirBlastStatus({ run, detail }: AirBlastStatusProps): ReactNode {
  const t = useT();
  const viewer = useViewer().detail;
  const { state, step, stepState, operator, operatorId } = run;
  if (stepState !== 'done' || !goesOn.has(state)) {
    return <StatusOf kind="airBlast" value={state} detail={detail} />;
  }
  return (
    <StatusIndicator type="pending">
      {t('airBlast.stepWaits', {
        step: t(`airBlast.step.${step}`),
        operator: operatorId === viewer.userId ? 'none' : operator,
      })}
    </StatusIndicator>
  );
}
