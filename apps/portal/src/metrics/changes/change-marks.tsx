import type { ReactNode } from 'react';
import { CHART_WIDTH } from '../chart-scale.ts';
import { xOf } from '../chart-paths.ts';
import type { TimeSpan } from '../metric-range.ts';
import type { MetricChange } from './metric-changes.ts';

interface ChangeMarksProps {
  readonly changes: readonly MetricChange[];
  readonly span: TimeSpan;
}

/** Arrows above a chart where its metric went to another level. The list has the same in words. */
export function ChangeMarks({ changes, span }: ChangeMarksProps): ReactNode {
  if (changes.length === 0) return null;
  return (
    <div className="dp-metric-arrows" aria-hidden="true">
      {changes.map(({ atMs, before, after }) => (
        <span key={atMs} style={{ insetInlineStart: `${xOf(atMs, span) / (CHART_WIDTH / 100)}%` }}>
          {after > before ? '▲' : '▼'}
        </span>
      ))}
    </div>
  );
}
