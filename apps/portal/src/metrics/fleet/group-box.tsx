import {
  colorBorderDividerDefault,
  colorChartsPaletteCategorical1,
} from '@cloudscape-design/design-tokens';
import type { ReactNode } from 'react';
import type { MetricGroup } from '@deviceportal/contract/metric-distribution';
import type { ValueScale } from '../chart-scale.ts';

interface GroupBoxProps {
  readonly group: MetricGroup;
  /** The same for all groups, so that they compare. */
  readonly scale: ValueScale;
  readonly label: string;
}

const WIDTH = 200;
const HEIGHT = 20;

/** The middle half as a box, the median as a line, and the 10th to 90th percentile as whiskers. */
export function GroupBox({
  group: { low, firstQuartile, median, thirdQuartile, high },
  scale,
  label,
}: GroupBoxProps): ReactNode {
  const x = (value: number): number => ((value - scale.from) / (scale.to - scale.from)) * WIDTH;
  return (
    <svg
      className="dp-metric-box"
      viewBox={`-2 0 ${WIDTH + 4} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={`M0 ${HEIGHT / 2}H${WIDTH}`} stroke={colorBorderDividerDefault} />
      <path
        d={`M${x(low)} ${HEIGHT / 2}H${x(high)}M${x(low)} 6V14M${x(high)} 6V14`}
        stroke={colorChartsPaletteCategorical1}
      />
      <rect
        x={x(firstQuartile)}
        y={3}
        width={Math.max(1, x(thirdQuartile) - x(firstQuartile))}
        height={HEIGHT - 6}
        fill={colorChartsPaletteCategorical1}
        fillOpacity={0.35}
        stroke={colorChartsPaletteCategorical1}
      />
      <path
        d={`M${x(median)} 2V${HEIGHT - 2}`}
        stroke={colorChartsPaletteCategorical1}
        strokeWidth={2.5}
      />
    </svg>
  );
}
