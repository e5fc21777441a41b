import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ComparisonChoice } from './comparisons/comparison-controls.tsx';
import {
  spanOf,
  wideEnough,
  zoomedSpan,
  type MetricRangeName,
  type TimeSpan,
} from './metric-range.ts';
import { toMetricInput } from './to-metric-input.ts';

const route = getRouteApi('/devices/$id');

interface MetricsAddress {
  readonly range: MetricRangeName;
  readonly span: TimeSpan;
  readonly isZoomed: boolean;
  readonly comparison: ComparisonChoice;
  readonly onRange: (range: MetricRangeName) => void;
  readonly onZoom: (part: TimeSpan) => void;
  readonly onCompare: (choice: Partial<ComparisonChoice>) => void;
}

/** Time range and comparisons, which the address contains. */
export function useMetricsAddress(nowMs: number): MetricsAddress {
  const { range, from, to, model, with: other } = route.useSearch();
  const navigate = route.useNavigate();
  const zoomed = useMemo(() => zoomedSpan(from, to), [from, to]);
  const span = useMemo(() => zoomed ?? spanOf(range, nowMs), [zoomed, range, nowMs]);
  return {
    ...{ range, span },
    isZoomed: zoomed !== undefined,
    comparison: { model, with: other },
    onZoom: (part) =>
      void navigate({
        search: (old) => ({ ...old, ...toMetricInput(wideEnough(part)) }),
        resetScroll: false,
      }),
    onRange: (name) =>
      void navigate({
        search: (old) => ({ ...old, range: name, from: '', to: '' }),
        replace: true,
        resetScroll: false,
      }),
    onCompare: (choice) =>
      void navigate({
        search: (old) => ({ ...old, ...choice }),
        replace: true,
        resetScroll: false,
      }),
  };
}
