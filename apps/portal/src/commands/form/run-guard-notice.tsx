import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { RunGuard } from '@deviceportal/contract/run-rules';
import { useT } from '../../i18n/use-t.ts';
import { followInside } from '../../ui/follow-inside.ts';

/** What the policy asks for before a run is sent to so many devices; nothing where it asks for nothing. */
export function RunGuardNotice({
  guard,
  airBlastHref,
}: {
  readonly guard: RunGuard;
  /** Where a rollout of the same is planned. */
  readonly airBlastHref?: string | undefined;
}): ReactNode {
  const t = useT();
  if (guard === 'none') return null;
  if (guard === 'second-person')
    return <Alert type="info">{t('commands.guard.second-person')}</Alert>;
  const action =
    airBlastHref === undefined ? null : (
      <Button href={airBlastHref} onFollow={followInside}>
        {t('commands.guard.plan')}
      </Button>
    );
  return (
    <Alert type="warning" action={action}>
      {t('commands.guard.air-blast')}
    </Alert>
  );
}
