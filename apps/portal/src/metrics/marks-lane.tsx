import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { MarkLine } from './mark-line.tsx';
import type { TimeSpan } from './metric-range.ts';
import type { MetricMark } from './use-metric-marks.ts';

/** Marks closer than this share of the width are one entry of the list. */
const NEAR = 0.004;

interface MarksLaneProps {
  readonly marks: readonly MetricMark[];
  readonly span: TimeSpan;
}

/** What happened on the device, as a list of links in the order of time. */
export function MarksLane({ marks, span }: MarksLaneProps): ReactNode {
  const t = useT();
  return (
    <section>
      <Header variant="h3">{t('metrics.marks.title')}</Header>
      {marks.length === 0 ? (
        <p className="dp-metric-note">{t('metrics.marks.none')}</p>
      ) : (
        <MarkList {...{ marks, span }} />
      )}
    </section>
  );
}

function MarkList({ marks, span }: MarksLaneProps): ReactNode {
  const t = useT();
  return (
    <ol className="dp-metric-marks" aria-label={t('metrics.marks.title')}>
      {groupMarks(marks, span).map(([first, ...others]) => (
        <li key={first.id}>
          <MarkLine mark={first} />
          {others.length === 0 ? null : ` ${t('metrics.marks.more', { count: others.length })}`}
        </li>
      ))}
    </ol>
  );
}

type MarkGroup = [MetricMark, ...MetricMark[]];

/** Repeated events of the same words at nearly the same time are one. */
function groupMarks(
  marks: readonly MetricMark[],
  { fromMs, toMs }: TimeSpan,
): readonly MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    const isSame = last?.[0].words === mark.words && last[0].kind === mark.kind;
    if (last && isSame && mark.atMs - (last.at(-1)?.atMs ?? 0) < NEAR * (toMs - fromMs))
      last.push(mark);
    else groups.push([mark]);
  }
  return groups.toReversed();
}
