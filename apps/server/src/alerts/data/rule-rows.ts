import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { AlertCondition } from '@deviceportal/contract/alerts';
import { hasRunningChange } from '../../commands/data/has-open-change.ts';
import { isRecentSample, newestMetrics } from '../../device-metrics/data/newest-metrics.ts';
import { isBeyond } from '../../devices/data/search/metric-predicate.ts';
import { fromS, s } from '../../devices/data/search/search-rows.ts';
import type { CountedRows } from '../../devices/data/search/watched-devices.ts';
import { openFindings } from '../../findings/data/open-findings.ts';

/** What a rule counts. */
export interface RuleCondition {
  readonly condition: AlertCondition;
  readonly excludesChanging: boolean;
}

type ConditionOf<Kind extends AlertCondition['kind']> = Extract<
  AlertCondition,
  { readonly kind: Kind }
>;

/** Longer work does not hide a device. */
const CHANGE_MS = 3_600_000;
const metricValues = sql`${s}.metric_values`;
const isChanging = sql`${s}.is_changing`;

/** The devices that meet a condition of any of the rules, all of which have conditions of the same kind. */
export function rowsOfRules(rules: readonly RuleCondition[], now: Date): CountedRows {
  const conditions = rules.map(({ condition }) => condition);
  const { from, where, columns } = rowsOfConditions(conditions, now);
  const changing = {
    name: 'is_changing',
    value: hasRunningChange(s.deviceId, new Date(now.getTime() - CHANGE_MS)),
  };
  return {
    from,
    where: sql`${eq(s.lifecycle, 'active')} and ${where}`,
    columns: rules.some(({ excludesChanging }) => excludesChanging)
      ? [...columns, changing]
      : columns,
  };
}

/** Whether one of these rows counts for a rule. */
export function countsForRule({ condition, excludesChanging }: RuleCondition, now: Date): SQL {
  const matches = matchesOnRow(condition, now);
  return excludesChanging ? sql`(${matches} and not ${isChanging})` : matches;
}

function rowsOfConditions(conditions: readonly AlertCondition[], now: Date): CountedRows {
  const offline = ofKind(conditions, 'offline');
  if (offline.length > 0) {
    const least = Math.min(...offline.map(({ minutes }) => minutes));
    const where = sql`${eq(s.connectivity, 'offline')} and ${isOfflineFor(least, now)}`;
    return { from: fromS, where, columns: [] };
  }
  const metrics = ofKind(conditions, 'metric');
  if (metrics.length > 0) {
    const beyond = metrics.map((each) => isMetricBeyond(sql`${newestMetrics.values}`, each));
    return {
      from: sql`${newestMetrics} join ${fromS} on ${s.deviceId} = ${newestMetrics.deviceId}`,
      where: sql`${isRecentSample(now)} and ${or(...beyond)}`,
      columns: [{ name: 'metric_values', value: sql`${newestMetrics.values}` }],
    };
  }
  const found = ofKind(conditions, 'finding').map(isFindingOf);
  return { from: fromS, where: hasFinding(or(...found)), columns: [] };
}

function matchesOnRow(condition: AlertCondition, now: Date): SQL {
  switch (condition.kind) {
    case 'offline':
      return isOfflineFor(condition.minutes, now);
    case 'finding':
      return hasFinding(isFindingOf(condition));
    case 'metric':
      return isMetricBeyond(metricValues, condition);
  }
}

const ofKind = <Kind extends AlertCondition['kind']>(
  conditions: readonly AlertCondition[],
  kind: Kind,
): readonly ConditionOf<Kind>[] =>
  conditions.filter((each): each is ConditionOf<Kind> => each.kind === kind);

const isOfflineFor = (minutes: number, now: Date): SQL => sql`${s.connectivitySince}
  <= ${now.toISOString()}::timestamptz - make_interval(mins => ${minutes})`;

const isMetricBeyond = (values: SQL, { metric, comparison, value }: ConditionOf<'metric'>): SQL =>
  isBeyond(values, { metric, operator: operators[comparison], limit: value });

const operators = { atLeast: '>=', atMost: '<=' } as const;

const hasFinding = (wanted: SQL | undefined): SQL =>
  sql`exists (select from ${openFindings} where ${and(eq(openFindings.deviceId, s.deviceId), wanted)})`;

const isFindingOf = ({ rule, severity }: ConditionOf<'finding'>): SQL | undefined =>
  and(
    rule === 'any' ? undefined : eq(openFindings.rule, rule),
    inArray(openFindings.severity, severitiesFrom(severity)),
  );

/** A severity and the more severe ones. */
export const severitiesFrom = (least: 'warning' | 'error'): ('warning' | 'error')[] =>
  least === 'error' ? ['error'] : ['warning', 'error'];
