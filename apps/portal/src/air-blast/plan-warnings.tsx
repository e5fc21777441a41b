import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useT } from '../i18n/use-t.ts';

/** What is doubtful about the plan: nothing is blocked by it, and nobody shall overlook it. */
export function PlanWarnings({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const { warnings, change } = run;
  if (warnings.length === 0) return null;
  return (
    <Alert type="warning" header={t('airBlast.warnings')}>
      {warnings.map((warning) => (
        <div key={warning}>{t(`airBlast.warning.${warning}`, { change })}</div>
      ))}
    </Alert>
  );
}
