import type { AlertCondition, AlertThreshold } from '@deviceportal/contract/alerts';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import { metricValue, metricWords } from '../metrics/metric-words.ts';
import { encodeFilter, type FilterQuery, type FilterQueryToken } from '../ui/filter-codec.ts';

export interface Words {
  readonly t: Translate;
  readonly format: Formatters;
}

/** "More than 3% of the devices offline for 10 minutes". */
export function conditionWords(
  {
    condition,
    unit,
    above,
  }: { readonly condition: AlertCondition } & Pick<AlertThreshold, 'unit' | 'above'>,
  { t, format }: Words,
): string {
  const amount = t(`alerts.amount.${unit}`, { amount: format.number(above) });
  switch (condition.kind) {
    case 'offline':
      return t('alerts.condition.offlineFor', { amount, minutes: condition.minutes });
    case 'finding':
      return t('alerts.condition.withFinding', {
        amount,
        finding: t(`devices.finding.${condition.rule}`),
      });
    case 'metric':
      return t('alerts.condition.withMetric', {
        amount,
        limit: metricLimitWords(condition, { t, format }),
      });
  }
}

/** "CPU of at least 90%". */
export function metricLimitWords(
  {
    metric,
    comparison,
    value,
  }: Pick<Extract<AlertCondition, { readonly kind: 'metric' }>, 'metric' | 'comparison' | 'value'>,
  words: Words,
): string {
  return words.t(`alerts.metricLimit.${comparison}`, {
    metric: metricWords(metric, words.t),
    value: metricValue(metric, value, words),
  });
}

/** "3 of 120 devices". */
export const countWords = (
  { matching, total }: { readonly matching: number; readonly total: number },
  { t, format }: Words,
): string => t('alerts.count', { matching: format.number(matching), total: format.number(total) });

/** The filter of a rule in the form of the device list. */
export function queryOfFilter({ text, tokens, operation }: DeviceFilter): FilterQuery {
  const free: FilterQueryToken[] = text === '' ? [] : [{ operator: ':', values: [text] }];
  return { tokens: [...free, ...tokens], operation };
}

/** The device list with the devices of an alert, as far as one filter can express it. */
export function devicesHref(filter: DeviceFilter, condition: AlertCondition | null): string {
  const { tokens, operation } = queryOfFilter(filter);
  const own = condition === null ? [] : tokensOf(condition);
  const isMixed = operation === 'or' && tokens.length > 1;
  const q = encodeFilter({ tokens: isMixed ? tokens : [...tokens, ...own], operation });
  const search = {
    q,
    ...(isMixed && { op: 'or' }),
    ...(filter.targetListId !== null && { targets: filter.targetListId }),
    view: 'all',
  };
  return `/devices?${new URLSearchParams(search).toString()}`;
}

function tokensOf(condition: AlertCondition): FilterQueryToken[] {
  switch (condition.kind) {
    case 'offline':
      return [
        { key: 'connectivity', operator: '=', values: ['offline'] },
        { key: 'lastSeen', operator: '<=', values: [`-${condition.minutes}m`] },
      ];
    case 'finding':
      return [{ key: 'finding', operator: '=', values: [condition.rule] }];
    case 'metric': {
      const { metric, comparison, value } = condition;
      const operator = comparison === 'atLeast' ? '>=' : '<=';
      return [{ key: 'newestMetric', operator, values: [`${metric}:${value}`] }];
    }
  }
}
