import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface TrendPoint {
  readonly atMs: number;
  /** 0 to 1. */
  readonly share: number;
}

export interface TrendLineProps {
  readonly label: string;
  readonly points: readonly TrendPoint[];
}

const WIDTH = 200;
const HEIGHT = 32;
/** The smallest range of the vertical axis, so that small differences are not exaggerated. */
const LEAST_SPAN = 0.1;

/**
 * A share over the last days, as a line and as text with its first and last value. Needs at least
 * two points.
 */
export function TrendLine({ label, points }: TrendLineProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const words = t('home.trend.words', {
    label,
    from: format.percent(first.share),
    to: format.percent(last.share),
  });
  return (
    <div className="home-trend">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={linePoints(points)} vectorEffect="non-scaling-stroke" />
      </svg>
      <Box variant="small" color="text-body-secondary">
        {words}
      </Box>
    </div>
  );
}

/** Centers the line vertically, with at least the smallest range. */
export function linePoints(points: readonly TrendPoint[]): string {
  const shares = points.map(({ share }) => share);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  const span = Math.max(high - low, LEAST_SPAN);
  const middle = (low + high) / 2;
  const [from, to] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 1];
  return points
    .map(({ atMs, share }) => {
      const x = (WIDTH * (atMs - from)) / Math.max(1, to - from);
      const y = HEIGHT / 2 - ((share - middle) / span) * (HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
