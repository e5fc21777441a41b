import { useMemo, type ReactNode } from 'react';
import { metricDefinitions, type MetricSeries } from '@deviceportal/contract/device-metrics';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { nearestIndex, xOf, yOf } from './chart-paths.ts';
import { CHART_HEIGHT, CHART_WIDTH, tickFormat, timeTicks, valueScale } from './chart-scale.ts';
import { ChangeMarks } from './changes/change-marks.tsx';
import { comparedAt, type ComparedSeries } from './comparisons/compared-series.ts';
import { metricValue, metricWords } from './metric-words.ts';
import { MetricPlot, type MetricPlotProps } from './metric-plot.tsx';

export type MetricChartProps = Omit<MetricPlotProps, 'scale' | 'label' | 'ticks'>;

const TIME_TICKS = 6;

/** One metric over time: the mean as a line, minimum and maximum as an area, comparisons, and marks. */
export function MetricChart(props: MetricChartProps): ReactNode {
  const { series, times, span, compared, pointedMs } = props;
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const isPercent = metricDefinitions[series.metric].unit === 'percent';
  const scale = useMemo(
    () => valueScale(rangeOf(series, compared), isPercent),
    [series, compared, isPercent],
  );
  const name = metricWords(series.metric, t);
  const shown = pointedMs === undefined ? lastIndex(series) : nearestIndex(times, pointedMs);
  const value = shown === undefined ? null : (series.mean[shown] ?? null);
  const shownMs = pointedMs ?? (shown === undefined ? undefined : times[shown]);
  const words = (number: number): string => metricValue(series.metric, number, { t, format });
  const ticks = timeTicks(span.fromMs, span.toMs, TIME_TICKS);
  const tickWords = tickFormat(language, span.fromMs, span.toMs);
  return (
    <figure className="dp-metric" aria-label={name}>
      <figcaption>
        <strong>{name}</strong>
        <span className="dp-metric-value">
          {value === null || shown === undefined
            ? t('metrics.noValue')
            : t(pointedMs === undefined ? 'metrics.latest' : 'metrics.atTime', {
                value: words(value),
                time: format.absolute(times[shown] ?? 0),
              })}
          {shownMs === undefined
            ? null
            : compared.map((other) => (
                <ComparedWords key={other.kind} {...{ other, words }} atMs={shownMs} />
              ))}
        </span>
      </figcaption>
      <div className="dp-metric-plot">
        <div className="dp-metric-values" aria-hidden="true">
          {scale.ticks.toReversed().map((tick) => (
            <span
              key={tick}
              style={{ insetBlockStart: `${(yOf(tick, scale) / CHART_HEIGHT) * 100}%` }}
            >
              {words(tick)}
            </span>
          ))}
        </div>
        <div className="dp-metric-drawing">
          <ChangeMarks changes={props.changes} span={span} />
          <MetricPlot {...props} scale={scale} label={t('metrics.chart', { name })} ticks={ticks} />
        </div>
      </div>
      <div className="dp-metric-times" aria-hidden="true">
        {ticks.map((tick) => (
          <span
            key={tick}
            style={{ insetInlineStart: `${xOf(tick, span) / (CHART_WIDTH / 100)}%` }}
          >
            {tickWords.format(tick)}
          </span>
        ))}
      </div>
    </figure>
  );
}

interface ComparedWordsProps {
  readonly other: ComparedSeries;
  readonly atMs: number;
  readonly words: (value: number) => string;
}

function ComparedWords({ other, atMs, words }: ComparedWordsProps): ReactNode {
  const t = useT();
  const value = comparedAt(other, atMs);
  return (
    <span className="dp-metric-compared">
      {value === undefined
        ? t(`metrics.unmeasured.${other.kind}`, { name: other.name })
        : t(`metrics.compared.${other.kind}`, {
            name: other.name,
            value: words(value.mean),
            low: words(value.min),
            high: words(value.max),
          })}
    </span>
  );
}

const rangeOf = (
  series: MetricSeries,
  compared: readonly ComparedSeries[],
): Pick<MetricSeries, 'min' | 'max'> => ({
  min: [...series.min, ...compared.flatMap(({ values }) => values.min)],
  max: [...series.max, ...compared.flatMap(({ values }) => values.max)],
});

function lastIndex({ mean }: MetricSeries): number | undefined {
  const index = mean.findLastIndex((value) => value !== null);
  return index < 0 ? undefined : index;
}
