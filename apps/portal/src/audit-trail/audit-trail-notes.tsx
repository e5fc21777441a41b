import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import type { EmptyWords } from '../ui/table/table-empty.tsx';
import { timeRangeMs, type TimeRange } from '../ui/time/time-range.ts';
import { rangeAround } from './use-nearest-event.ts';
import type { LiveTail } from './use-live-tail.ts';

/** "3 new events — Show", while a later page or position is shown. */
export function NewEvents({
  tail,
  onShow,
}: {
  readonly tail: LiveTail;
  readonly onShow: () => void;
}): ReactNode {
  const t = useT();
  if (tail.count === 0) return null;
  return (
    <div className="dp-audit-new" role="status">
      <Alert type="info" action={<Button onClick={onShow}>{t('auditTrail.live.show')}</Button>}>
        {tail.isMore
          ? t('auditTrail.live.newMany', { count: tail.count })
          : t('auditTrail.live.new', { count: tail.count })}
      </Alert>
    </div>
  );
}

export interface EmptyOptions {
  /** A device in the filter that was not found. */
  readonly unknownDevice: string | null;
  readonly range: TimeRange;
  /** The time of the last event before the time range, if known. */
  readonly nearestAt: string | undefined;
  readonly onRange: (range: TimeRange) => void;
  readonly onClear: (() => void) | undefined;
  /** Part of the time range has not been searched. */
  readonly isUnfinished: boolean;
}

const wider: readonly TimeRange[] = [
  { kind: 'relative', amount: 7, unit: 'd' },
  { kind: 'relative', amount: 30, unit: 'd' },
  { kind: 'relative', amount: 365, unit: 'd' },
];

/** The empty state, which offers longer time ranges and clearing the filter. */
export function useAuditEmptyWords({
  unknownDevice,
  range,
  nearestAt,
  onRange,
  onClear,
  isUnfinished,
}: EmptyOptions): EmptyWords {
  const t = useT();
  const format = useFormat();
  const longer =
    unknownDevice === null && !isUnfinished
      ? wider.filter((each) => timeRangeMs(each) > timeRangeMs(range)).slice(0, 2)
      : [];
  const title =
    unknownDevice === null
      ? t(
          `auditTrail.page.${isUnfinished ? 'noneSoFar' : onClear === undefined ? 'none' : 'noneFiltered'}`,
        )
      : t('auditTrail.page.deviceUnknown', { device: unknownDevice });
  return {
    title,
    ...(longer.length === 0 ? {} : { body: t('auditTrail.page.noneBody') }),
    action: (
      <Box display="inline-block">
        <SpaceBetween direction="horizontal" size="xs">
          {nearestAt === undefined ? null : (
            <Button onClick={() => onRange(rangeAround(nearestAt))}>
              {t('auditTrail.page.nearest', { time: format.absolute(Date.parse(nearestAt)) })}
            </Button>
          )}
          {longer.map((each) => (
            <Button key={timeRangeMs(each)} onClick={() => onRange(each)}>
              {t('auditTrail.page.widenTo', { range: format.duration(timeRangeMs(each)) })}
            </Button>
          ))}
          {onClear === undefined ? null : (
            <Button onClick={onClear}>{t('auditTrail.page.clear')}</Button>
          )}
        </SpaceBetween>
      </Box>
    ),
  };
}
