import BarChart from '@cloudscape-design/components/bar-chart';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import LineChart from '@cloudscape-design/components/line-chart';
import type { ApiCallHistory, ApiCallHistoryStep } from '@deviceportal/contract/api-calls';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import type { TimeRange } from '../ui/time/time-range.ts';
import { callTotals, stepLabels } from './call-totals.ts';

export interface CallsHistoryProps {
  readonly history: ApiOutputs['apiCalls']['history'] | undefined;
  /** Called when the user selects a step. */
  readonly onRange: (range: TimeRange) => void;
}

const HEIGHT_PX = 160;

/** Charts of successful and failed calls and of durations in the time range of the list. */
export function CallsHistory({ history, onRange }: CallsHistoryProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const totals = callTotals(history?.steps ?? []);
  const words = {
    calls: format.number(totals.calls),
    share: format.percent(totals.errorShare),
    step: format.duration(history?.stepMs ?? 0),
  };
  return (
    <ExpandableSection
      variant="container"
      defaultExpanded
      headerText={t('apiCalls.history.title')}
      headerDescription={history === undefined ? '\u{a0}' : t('apiCalls.history.total', words)}
    >
      <ColumnLayout columns={2} minColumnWidth={320}>
        <CallsChart history={history} onRange={onRange} />
        <DurationsChart history={history} />
      </ColumnLayout>
    </ExpandableSection>
  );
}

const statusOf = (history: ApiCallHistory | undefined): 'loading' | 'finished' =>
  history === undefined ? 'loading' : 'finished';

function CallsChart({ history, onRange }: CallsHistoryProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const steps = history?.steps ?? [];
  const labels = stepLabels(history);
  const bars = (count: (step: ApiCallHistoryStep) => number) =>
    steps.map((step, at) => ({ x: labels[at] ?? '', y: count(step) }));
  const valueFormatter = (value: number): string => format.number(value);
  const rangeOf = (label: string): TimeRange | undefined => {
    const from = steps[labels.indexOf(label)]?.at;
    if (from === undefined || history === undefined) return undefined;
    const to = new Date(Date.parse(from) + history.stepMs).toISOString();
    return { kind: 'absolute', from: new Date(from).toISOString(), to };
  };
  return (
    <BarChart
      ariaLabel={t('apiCalls.history.calls')}
      xScaleType="categorical"
      stackedBars
      hideFilter
      height={HEIGHT_PX}
      xDomain={labels}
      xTitle={t('apiCalls.column.time')}
      yTitle={t('apiCalls.history.calls')}
      statusType={statusOf(history)}
      empty={t('apiCalls.none')}
      i18nStrings={{ yTickFormatter: valueFormatter }}
      series={[
        {
          type: 'bar',
          title: t('apiCalls.ok'),
          data: bars(({ calls, errors }) => calls - errors),
          valueFormatter,
        },
        {
          type: 'bar',
          title: t('apiCalls.column.errors'),
          data: bars(({ errors }) => errors),
          valueFormatter,
          color: 'var(--dp-calls-errors)',
        },
      ]}
      detailPopoverFooter={(label) => {
        const range = rangeOf(label);
        return range === undefined ? null : (
          <Button variant="inline-link" onClick={() => onRange(range)}>
            {t('apiCalls.history.only')}
          </Button>
        );
      }}
    />
  );
}

const percentiles = ['medianMs', 'p95Ms', 'p99Ms'] as const;

function DurationsChart({ history }: Pick<CallsHistoryProps, 'history'>): ReactNode {
  const t = useT();
  const format = useFormat();
  const steps = history?.steps ?? [];
  const labels = stepLabels(history);
  const valueFormatter = (value: number): string => format.duration(value);
  return (
    <LineChart
      ariaLabel={t('apiCalls.history.durations')}
      xScaleType="categorical"
      hideFilter
      height={HEIGHT_PX}
      xDomain={labels}
      xTitle={t('apiCalls.column.time')}
      yTitle={t('apiCalls.column.duration')}
      statusType={statusOf(history)}
      empty={t('apiCalls.none')}
      i18nStrings={{ yTickFormatter: valueFormatter }}
      series={percentiles.map((percentile) => ({
        type: 'line',
        title: t(`apiCalls.history.${percentile}`),
        data: steps.flatMap((step, at) => {
          const duration = step[percentile];
          return duration === null ? [] : [{ x: labels[at] ?? '', y: duration }];
        }),
        valueFormatter,
      }))}
    />
  );
}
