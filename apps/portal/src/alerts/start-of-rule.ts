import { metricNames, type MetricName } from '@deviceportal/contract/device-metrics';
import { metricLimitOf } from '@deviceportal/contract/metric-distribution';
import type { FilterQuery, FilterQueryToken } from '../ui/filter-codec.ts';
import { usualLimits } from './metric-limits.ts';
import type { RuleDraft } from './rule-draft.ts';

/** The set and the condition of a new rule. */
export type RuleStart =
  | (Pick<RuleDraft, 'query' | 'metric' | 'comparison' | 'metricValue'> & {
      readonly kind: 'metric';
    })
  | (Pick<RuleDraft, 'query'> & { readonly kind: 'offline' });

/**
 * The start of a rule from the filter of a list or a metric: a limit of a metric in the filter is the condition of the
 * rule, among the devices of the rest of the filter.
 */
export function startOfRule(query: FilterQuery, metric: string): RuleStart {
  const named = metricNames.find((name) => name === metric);
  if (named !== undefined) return { query, ...usualOf(named) };
  const token = query.tokens.find(isMetric);
  const given = metricLimitOf(token?.values[0] ?? '');
  const isMixed = query.operation === 'or' && query.tokens.length > 1;
  if (token === undefined || given === undefined || isMixed) return { kind: 'offline', query };
  return {
    kind: 'metric',
    query: { ...query, tokens: query.tokens.filter((each) => each !== token) },
    metric: given.metric,
    comparison: token.operator === '<=' ? 'atMost' : 'atLeast',
    metricValue: String(given.limit),
  };
}

function usualOf(metric: MetricName) {
  const { comparison, value } = usualLimits[metric];
  return { kind: 'metric', metric, comparison, metricValue: String(value) } as const;
}

/** With one limit: several are alternatives, which a condition does not have. */
const isMetric = ({ key, values }: FilterQueryToken): boolean =>
  (key === 'metric' || key === 'newestMetric') && values.length === 1;
