import Button from '@cloudscape-design/components/button';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import {
  moveSpan,
  rangesByLength,
  scaleSpan,
  type MetricRangeName,
  type TimeSpan,
} from './metric-range.ts';

interface RangeControlsProps {
  readonly range: MetricRangeName;
  readonly span: TimeSpan;
  readonly isZoomed: boolean;
  readonly nowMs: number;
  readonly onRange: (range: MetricRangeName) => void;
  readonly onZoom: (span: TimeSpan) => void;
}

/** Chooses the time range, also without a pointer. */
export function RangeControls({
  range,
  span,
  isZoomed,
  nowMs,
  onRange,
  onZoom,
}: RangeControlsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <SegmentedControl
        label={t('metrics.range')}
        selectedId={isZoomed ? null : range}
        options={rangesByLength.map((id) => ({ id, text: t(`metrics.range.${id}`) }))}
        onChange={({ detail }) => onRange(detail.selectedId as MetricRangeName)}
      />
      <Button
        iconName="angle-left"
        variant="icon"
        ariaLabel={t('metrics.earlier')}
        onClick={() => onZoom(moveSpan(span, -1, nowMs))}
      />
      <Button
        iconName="angle-right"
        variant="icon"
        ariaLabel={t('metrics.later')}
        disabled={span.toMs >= nowMs}
        onClick={() => onZoom(moveSpan(span, 1, nowMs))}
      />
      <Button
        iconName="zoom-in"
        variant="icon"
        ariaLabel={t('metrics.zoomIn')}
        onClick={() => onZoom(scaleSpan(span, 0.5, nowMs))}
      />
      <Button
        iconName="zoom-out"
        variant="icon"
        ariaLabel={t('metrics.zoomOut')}
        onClick={() => onZoom(scaleSpan(span, 2, nowMs))}
      />
      {isZoomed ? (
        <Button onClick={() => onRange(range)}>
          {t('metrics.back', { range: t(`metrics.range.${range}`) })}
        </Button>
      ) : null}
      <small>
        {t('metrics.span', { from: format.absolute(span.fromMs), to: format.absolute(span.toMs) })}
      </small>
    </SpaceBetween>
  );
}
