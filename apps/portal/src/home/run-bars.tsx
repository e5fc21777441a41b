import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { runsEndedOn } from './runs-ended-on.ts';
import type { TrendDay } from './trend-days.ts';

const WIDTH = 200;
const HEIGHT = 32;
const DAYS = 30;
const DAY_MS = 86_400_000;
const SLOT = WIDTH / DAYS;

/**
 * Results of runs per day as bars, failed ones at the bottom, and their totals as text. The table
 * of values has the same links for the keyboard.
 */
export function RunBars({ days }: { readonly days: readonly TrendDay[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed));
  const total = (of: 'succeeded' | 'failed'): number => days.reduce((sum, day) => sum + day[of], 0);
  return (
    <div className="home-trend">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day) => (
          <DayBar key={day.day} day={day} newest={days[0]?.day ?? day.day} most={most} />
        ))}
      </svg>
      <Box variant="small" color="text-body-secondary">
        {t('home.trend.runWords', {
          succeeded: format.number(total('succeeded')),
          failed: format.number(total('failed')),
        })}
      </Box>
    </div>
  );
}

function DayBar(props: {
  readonly day: TrendDay;
  readonly newest: string;
  readonly most: number;
}): ReactNode {
  const { day, succeeded, failed } = props.day;
  const age = Math.round((Date.parse(props.newest) - Date.parse(day)) / DAY_MS);
  if (age >= DAYS || succeeded + failed === 0) return null;
  const x = WIDTH - (age + 1) * SLOT;
  const height = (count: number): number => (HEIGHT * count) / props.most;
  const href = runsEndedOn(day);
  return (
    <a
      href={href}
      tabIndex={-1}
      onClick={(event) => {
        event.preventDefault();
        navigateTo(href);
      }}
    >
      <title>{day}</title>
      {/* The whole height is clickable. */}
      <rect className="home-run-slot" x={x} y={0} width={SLOT} height={HEIGHT} />
      <rect
        className="home-run-failed"
        x={x}
        y={HEIGHT - height(failed)}
        width={SLOT - 1}
        height={height(failed)}
      />
      <rect
        className="home-run-succeeded"
        x={x}
        y={HEIGHT - height(failed + succeeded)}
        width={SLOT - 1}
        height={height(succeeded)}
      />
    </a>
  );
}
