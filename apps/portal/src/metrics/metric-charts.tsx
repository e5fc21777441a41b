import Alert from '@cloudscape-design/components/alert';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, useState, type ReactNode } from 'react';
import type { DeviceMetrics } from '@deviceportal/contract/device-metrics';
import { useT } from '../i18n/use-t.ts';
import { ChangeList } from './changes/change-list.tsx';
import { changesOf, groupChanges, type MetricChange } from './changes/metric-changes.ts';
import type { ComparedByMetric, ComparedSeries } from './comparisons/compared-series.ts';
import { MarksLane } from './marks-lane.tsx';
import { MetricChart } from './metric-chart.tsx';
import type { TimeSpan } from './metric-range.ts';
import { MetricsEmpty } from './metrics-empty.tsx';
import { MetricsTable } from './metrics-table.tsx';
import { sampleLosses, type SampleLoss } from './sample-losses.ts';
import type { MetricMark } from './use-metric-marks.ts';

interface MetricChartsProps {
  readonly metrics: DeviceMetrics;
  /** Also of the time before the range, in which causes of changes are. */
  readonly marks: readonly MetricMark[];
  readonly compared: ComparedByMetric;
  readonly span: TimeSpan;
  readonly onZoom: (span: TimeSpan) => void;
}

/** A chart for each metric, what happened on the device, and what changed. */
export function MetricCharts({
  metrics,
  marks,
  compared,
  span,
  onZoom,
}: MetricChartsProps): ReactNode {
  const [pointedMs, setPointedMs] = useState<number>();
  const times = useMemo(() => metrics.times.map((time) => Date.parse(time)), [metrics]);
  // While the next range is loaded, the axis is that of the values.
  const shown = useMemo(
    () => ({ fromMs: Date.parse(metrics.from), toMs: Date.parse(metrics.to) }),
    [metrics],
  );
  const changes = useMemo(() => changesOf(metrics), [metrics]);
  const byMetric = useMemo(() => Map.groupBy(changes, ({ metric }) => metric), [changes]);
  const groups = useMemo(
    () => groupChanges(changes, marks, metrics.stepSeconds * 1_000),
    [changes, marks, metrics],
  );
  const losses = useMemo(() => sampleLosses(metrics), [metrics]);
  const within = useMemo(() => marks.filter(({ atMs }) => atMs >= span.fromMs), [marks, span]);
  if (metrics.series.length === 0) return <MetricsEmpty metrics={metrics} onZoom={onZoom} />;
  return (
    <SpaceBetween size="m">
      <div className="dp-metric-lists">
        <ChangeList groups={groups} onZoom={onZoom} />
        <MarksLane marks={within} span={span} />
      </div>
      <LossNote losses={losses} />
      <div className="dp-metrics">
        {metrics.series.map((series) => (
          <MetricChart
            key={series.metric}
            {...{ series, times, losses, pointedMs, onZoom }}
            marks={within}
            compared={compared.get(series.metric) ?? notCompared}
            changes={byMetric.get(series.metric) ?? notChanged}
            span={shown}
            onPoint={setPointedMs}
          />
        ))}
      </div>
      <TableSection {...{ metrics, compared }} />
    </SpaceBetween>
  );
}

function LossNote({ losses }: { readonly losses: readonly SampleLoss[] }): ReactNode {
  const t = useT();
  if (losses.length === 0) return null;
  const count = losses.reduce((sum, { samples }) => sum + samples, 0);
  return <Alert type="info">{t('metrics.losses.note', { count })}</Alert>;
}

const notCompared: readonly ComparedSeries[] = [];
const notChanged: readonly MetricChange[] = [];

/** Rendered only while it is open. */
function TableSection({
  metrics,
  compared,
}: Pick<MetricChartsProps, 'metrics' | 'compared'>): ReactNode {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <ExpandableSection
      headerText={t('metrics.table')}
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {isOpen ? <MetricsTable {...{ metrics, compared }} /> : null}
    </ExpandableSection>
  );
}
