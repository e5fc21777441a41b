import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { CaseRow } from '@deviceportal/contract/cases';
import { useT } from '../../i18n/use-t.ts';
import { useServerNow } from '../../ui/time/server-clock.ts';
import { Time, type TimeProps } from '../../ui/time/time.tsx';

/** When a case is due, marked if it is open and the time has passed. */
export function DueTime({
  of: { state, dueAt },
  style = 'relative',
}: {
  readonly of: Pick<CaseRow, 'state' | 'dueAt'>;
  readonly style?: NonNullable<TimeProps['style']>;
}): ReactNode {
  const t = useT();
  const nowMs = useServerNow();
  const isOverdue = state === 'open' && dueAt !== null && Date.parse(dueAt) < nowMs;
  const time = <Time at={dueAt} style={style} />;
  if (!isOverdue) return time;
  return (
    <StatusIndicator type="error" iconAriaLabel={t('cases.overdue')}>
      {t('cases.overdue')} · {time}
    </StatusIndicator>
  );
}
