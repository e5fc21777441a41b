import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useT } from '../../i18n/use-t.ts';

export interface PlanWarningsProps {
  readonly run: AirBlastDetail;
  /** Shows the devices that do not verify signatures. */
  readonly onShowUnchecked?: () => void;
}

/** Warnings of a plan. They do not block it. */
export function PlanWarnings({ run, onShowUnchecked }: PlanWarningsProps): ReactNode {
  const t = useT();
  const { warnings, change, endedAt } = run;
  const unchecked = endedAt === null ? run.unchecked : 0;
  if (warnings.length === 0 && unchecked === 0) return null;
  return (
    <Alert
      type="warning"
      header={t('airBlast.warnings')}
      action={
        unchecked === 0 || onShowUnchecked === undefined ? undefined : (
          <Button onClick={onShowUnchecked}>{t('airBlast.showUnchecked')}</Button>
        )
      }
    >
      {warnings.map((warning) => (
        <div key={warning}>{t(`airBlast.warning.${warning}`, { change })}</div>
      ))}
      {unchecked === 0 ? null : <div>{t('commands.reach.unchecked', { count: unchecked })}</div>}
    </Alert>
  );
}
