import type { DataSourceView } from '@deviceportal/contract/data-sources';
import type { Translate } from '../i18n/use-t.ts';

type Facts = Pick<DataSourceView, 'source' | 'place' | 'state' | 'fault' | 'setting'> & {
  readonly feed: Pick<NonNullable<DataSourceView['feed']>, 'fullSince' | 'rejected'> | null;
};

/** What an administrator can do next. Null if nothing needs to be done. */
export function nextStep(
  { source, place, state, fault, setting, feed }: Facts,
  t: Translate,
): string | null {
  if (fault !== null) return t(`dataSources.next.${fault.reason}`, { setting });
  if (feed !== null && feed.fullSince !== null) return t('dataSources.next.full');
  if (state === 'reading') return t('dataSources.next.reading');
  if (state === 'delayed') {
    const role = source === 'audit-trail-queue' ? 'gateway' : 'worker';
    return t('dataSources.next.delayed', { role });
  }
  if (place === 'outside' && (state === 'unmonitored' || state === 'unused')) {
    return t(`dataSources.next.${state}`);
  }
  return feed !== null && feed.rejected.length > 0 ? t('dataSources.next.rejected') : null;
}
