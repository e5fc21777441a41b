import {
  colorBorderDividerDefault,
  colorChartsPaletteCategorical1,
  colorTextBodyDefault,
  colorTextBodySecondary,
} from '@cloudscape-design/design-tokens';
import { useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import type { MetricSeries } from '@deviceportal/contract/device-metrics';
import { useT } from '../i18n/use-t.ts';
import type { MetricChange } from './changes/metric-changes.ts';
import { chartPaths, xOf, yOf } from './chart-paths.ts';
import { CHART_HEIGHT, CHART_WIDTH, type ValueScale } from './chart-scale.ts';
import { comparisonColors, type ComparedSeries } from './comparisons/compared-series.ts';
import { markColors } from './mark-colors.ts';
import type { TimeSpan } from './metric-range.ts';
import type { SampleLoss } from './sample-losses.ts';
import type { MetricMark } from './use-metric-marks.ts';

export interface MetricPlotProps {
  readonly series: MetricSeries;
  /** Milliseconds since 1970, one for each point. */
  readonly times: readonly number[];
  readonly span: TimeSpan;
  readonly marks: readonly MetricMark[];
  readonly compared: readonly ComparedSeries[];
  readonly changes: readonly MetricChange[];
  readonly losses: readonly SampleLoss[];
  /** The time under the pointer, in any of the charts. */
  readonly pointedMs: number | undefined;
  readonly onPoint: (atMs: number | undefined) => void;
  readonly onZoom: (span: TimeSpan) => void;
  readonly scale: ValueScale;
  readonly label: string;
  /** Times on the axis. */
  readonly ticks: readonly number[];
}

/** A shorter movement is a click. */
const LEAST_DRAG = 0.01;

/** The drawing. Dragging over it chooses a part of the time range. */
export function MetricPlot({
  series,
  times,
  span,
  pointedMs,
  scale,
  label,
  ticks,
  ...rest
}: MetricPlotProps): ReactNode {
  const { line, area } = useMemo(
    () => chartPaths(times, series, { ...span, scale }),
    [times, series, span, scale],
  );
  const { handlers, dragged } = useDrag(span, rest);
  return (
    <svg
      className="dp-metric-svg"
      viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      {...handlers}
    >
      {scale.ticks.map((tick) => (
        <path
          key={tick}
          d={`M0 ${yOf(tick, scale)}H${CHART_WIDTH}`}
          stroke={colorBorderDividerDefault}
        />
      ))}
      {ticks.map((tick) => (
        <path
          key={tick}
          d={`M${xOf(tick, span)} 0V${CHART_HEIGHT}`}
          stroke={colorBorderDividerDefault}
        />
      ))}
      <Clipped>
        {rest.losses.map((loss) => (
          <LossArea key={loss.toMs} {...{ loss, span }} />
        ))}
        {rest.compared.map((other) => (
          <ComparedPaths key={other.kind} {...{ other, span, scale }} />
        ))}
      </Clipped>
      <path d={area} fill={colorChartsPaletteCategorical1} fillOpacity={0.2} />
      <path d={line} fill="none" stroke={colorChartsPaletteCategorical1} strokeWidth={1.5} />
      <TimeLines marks={rest.marks} changes={rest.changes} span={span} />
      {pointedMs === undefined ? null : (
        <path d={`M${xOf(pointedMs, span)} 0V${CHART_HEIGHT}`} stroke={colorTextBodySecondary} />
      )}
      {dragged === undefined ? null : (
        <rect
          x={dragged.from * CHART_WIDTH}
          width={(dragged.to - dragged.from) * CHART_WIDTH}
          height={CHART_HEIGHT}
          fill={colorTextBodySecondary}
          fillOpacity={0.2}
        />
      )}
    </svg>
  );
}

/** Nothing outside of the plot, for example while the next range is loaded. */
const Clipped = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <svg width={CHART_WIDTH} height={CHART_HEIGHT} aria-hidden="true">
    {children}
  </svg>
);

/** What happened on the device, and when the metric went to another level. */
const TimeLines = ({
  marks,
  changes,
  span,
}: Pick<MetricPlotProps, 'marks' | 'changes' | 'span'>): ReactNode => (
  <Clipped>
    {marks.map(({ id, kind, atMs, words }) => (
      <path
        key={id}
        d={`M${xOf(atMs, span)} 0V${CHART_HEIGHT}`}
        stroke={markColors[kind]}
        strokeWidth={kind === 'event' ? 1 : 2}
        strokeDasharray={kind === 'command' ? undefined : '4 3'}
      >
        <title>{words}</title>
      </path>
    ))}
    {changes.map(({ atMs }) => (
      <path
        key={atMs}
        d={`M${xOf(atMs, span)} 0V${CHART_HEIGHT}`}
        stroke={colorTextBodyDefault}
        strokeDasharray="1 3"
      />
    ))}
  </Clipped>
);

/** Where the device deleted samples. */
function LossArea({
  loss: { fromMs, toMs, samples },
  span,
}: Pick<MetricPlotProps, 'span'> & { readonly loss: SampleLoss }): ReactNode {
  const t = useT();
  const x = xOf(fromMs, span);
  return (
    <rect
      x={x}
      width={Math.max(2, xOf(toMs, span) - x)}
      height={CHART_HEIGHT}
      fill={colorTextBodySecondary}
      fillOpacity={0.25}
    >
      <title>{t('metrics.losses.gap', { count: samples })}</title>
    </rect>
  );
}

/** The range of what the device is compared with as an area, its middle as a dashed line. */
function ComparedPaths({
  other,
  span,
  scale,
}: Pick<MetricPlotProps, 'span' | 'scale'> & { readonly other: ComparedSeries }): ReactNode {
  const { line, area } = useMemo(
    () => chartPaths(other.times, other.values, { ...span, scale }),
    [other, span, scale],
  );
  const color = comparisonColors[other.kind];
  return (
    <>
      {other.kind === 'model' ? <path d={area} fill={color} fillOpacity={0.18} /> : null}
      <path d={line} fill="none" stroke={color} strokeWidth={1.5} strokeDasharray="5 3" />
    </>
  );
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** Positions as shares of the width. */
function useDrag(
  { fromMs, toMs }: TimeSpan,
  { onPoint, onZoom }: Pick<MetricPlotProps, 'onPoint' | 'onZoom'>,
) {
  const start = useRef<number>(undefined);
  const [dragged, setDragged] = useState<Part>();
  const shareOf = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
  };
  const timeOf = (share: number): number => fromMs + share * (toMs - fromMs);
  const end = (): void => {
    start.current = undefined;
    setDragged(undefined);
  };
  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = shareOf(event);
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        const share = shareOf(event);
        onPoint(timeOf(share));
        const from = start.current;
        if (from !== undefined)
          setDragged({ from: Math.min(from, share), to: Math.max(from, share) });
      },
      onPointerUp() {
        if (dragged !== undefined && dragged.to - dragged.from >= LEAST_DRAG)
          onZoom({ fromMs: timeOf(dragged.from), toMs: timeOf(dragged.to) });
        end();
      },
      onPointerCancel: end,
      onPointerLeave() {
        if (start.current === undefined) onPoint(undefined);
      },
    },
  };
}
