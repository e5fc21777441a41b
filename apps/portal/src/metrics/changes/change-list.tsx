import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { MarkLine } from '../mark-line.tsx';
import type { TimeSpan } from '../metric-range.ts';
import { metricValue, metricWords } from '../metric-words.ts';
import { CAUSE_MS, type ChangeGroup, type MetricChange } from './metric-changes.ts';

interface ChangeListProps {
  readonly groups: readonly ChangeGroup[];
  readonly onZoom: (span: TimeSpan) => void;
}

/** Causes of one change that are listed. */
const MOST_CAUSES = 8;

/** When metrics went to another level, and what happened on the device in the hour before. */
export function ChangeList({ groups, onZoom }: ChangeListProps): ReactNode {
  const t = useT();
  return (
    <section aria-label={t('metrics.changes.title')}>
      <Header variant="h3" description={t('metrics.changes.note')}>
        {t('metrics.changes.title')}
      </Header>
      {groups.length === 0 ? (
        <p className="dp-metric-note">{t('metrics.changes.none')}</p>
      ) : (
        <ol className="dp-metric-changes">
          {groups.map((group) => (
            <ChangeItem key={`${group.atMs} ${group.changes[0].metric}`} {...{ group, onZoom }} />
          ))}
        </ol>
      )}
    </section>
  );
}

function ChangeItem({
  group: { sinceMs, atMs, changes, causes },
  onZoom,
}: Pick<ChangeListProps, 'onZoom'> & { readonly group: ChangeGroup }): ReactNode {
  const t = useT();
  const format = useFormat();
  const words = useChangeWords();
  const others = causes.length - MOST_CAUSES;
  return (
    <li>
      <time dateTime={new Date(atMs).toISOString()}>{format.absolute(atMs)}</time>{' '}
      <strong>{changes.map(words).join(' · ')}</strong>{' '}
      <Button
        variant="inline-link"
        ariaLabel={t('metrics.changes.showAt', { time: format.absolute(atMs) })}
        onClick={() => onZoom({ fromMs: sinceMs - CAUSE_MS, toMs: atMs + CAUSE_MS })}
      >
        {t('metrics.changes.show')}
      </Button>
      {causes.length === 0 ? (
        <p className="dp-metric-note">{t('metrics.changes.noCause')}</p>
      ) : (
        <ul>
          {causes.slice(0, MOST_CAUSES).map((mark) => (
            <li key={mark.id}>
              <MarkLine mark={mark} />
            </li>
          ))}
          {others > 0 ? <li>{t('metrics.marks.more', { count: others })}</li> : null}
        </ul>
      )}
    </li>
  );
}

/** For example "CPU rose from 12% to 85%". */
function useChangeWords(): (change: MetricChange) => string {
  const t = useT();
  const format = useFormat();
  return ({ metric, before, after }) =>
    t(after > before ? 'metrics.changes.rose' : 'metrics.changes.fell', {
      metric: metricWords(metric, t),
      before: metricValue(metric, before, { t, format }),
      after: metricValue(metric, after, { t, format }),
    });
}
