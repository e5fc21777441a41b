import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { RunGuard } from '@deviceportal/contract/run-rules';
import { useT } from '../../i18n/use-t.ts';
import { followWithRouter } from '../../ui/follow-with-router.ts';

/** The requirement of the run policy for this number of devices. Renders nothing without one. */
export function RunGuardNotice({
  guard,
  airBlastHref,
}: {
  readonly guard: RunGuard;
  /** The link to plan the same change as a rollout. */
  readonly airBlastHref?: string | undefined;
}): ReactNode {
  const t = useT();
  if (guard === 'none') return null;
  if (guard === 'second-person')
    return <Alert type="info">{t('commands.guard.second-person')}</Alert>;
  const action =
    airBlastHref === undefined ? null : (
      <Button href={airBlastHref} onFollow={followWithRouter}>
        {t('commands.guard.plan')}
      </Button>
    );
  return (
    <Alert type="warning" action={action}>
      {t('commands.guard.air-blast')}
    </Alert>
  );
}
