import {
  ALERT_LIMITS,
  alertConditionSchema,
  type alertComparisons,
  type AlertCondition,
  type AlertDestinationInput,
  type AlertDestinationKind,
  type AlertDestinationRow,
  type AlertRulePreviewRequest,
  type AlertRuleRow,
  type AlertSeverity,
  type AlertUnit,
  type NewAlertRule,
} from '@deviceportal/contract/alerts';
import {
  maintenanceWindowSchema,
  type MaintenanceWindow,
} from '@deviceportal/contract/maintenance-windows';
import type { MetricName } from '@deviceportal/contract/device-metrics';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import { decodeDeviceFilter } from '../devices/list/filter/device-filter.ts';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { queryOfFilter } from './alert-words.ts';

export interface DestinationDraft {
  /** Identifies the row on screen. */
  readonly key: string;
  readonly kind: AlertDestinationKind;
  /** Addresses, a URL, or a key. */
  readonly value: string;
  /** Set for a destination that the rule already has. */
  readonly kept?: AlertDestinationRow;
}

/** The form of a rule. Numbers are texts, as they are typed. */
export interface RuleDraft {
  readonly name: string;
  readonly severity: AlertSeverity;
  readonly enabled: boolean;
  readonly query: FilterQuery;
  readonly targets: string;
  readonly kind: AlertCondition['kind'];
  readonly minutes: string;
  readonly finding: FindingRule | 'any';
  readonly findingSeverity: 'warning' | 'error';
  readonly metric: MetricName;
  readonly comparison: (typeof alertComparisons)[number];
  readonly metricValue: string;
  readonly unit: AlertUnit;
  readonly above: string;
  /** Empty for the threshold itself. */
  readonly resolveAt: string;
  readonly holdMinutes: string;
  readonly resolveMinutes: string;
  readonly excludesChanging: boolean;
  readonly opensCase: boolean;
  readonly maintenance: readonly MaintenanceWindow[];
  readonly destinations: readonly DestinationDraft[];
}

export const emptyRule: RuleDraft = {
  ...{ name: '', severity: 'warning', enabled: true },
  ...{ query: { tokens: [], operation: 'and' }, targets: '' },
  ...{ kind: 'offline', minutes: '10', finding: 'any', findingSeverity: 'warning' },
  ...{ metric: 'cpuUsedPercent', comparison: 'atLeast', metricValue: '90' },
  ...{ unit: 'percent', above: '3', resolveAt: '', holdMinutes: '0', resolveMinutes: '5' },
  ...{ excludesChanging: true, maintenance: [], opensCase: false, destinations: [] },
};

export function draftOfRule(rule: AlertRuleRow): RuleDraft {
  const { condition, filter, above, resolveAt } = rule;
  const { name, severity, enabled, unit, holdMinutes, resolveMinutes } = rule;
  const { excludesChanging, maintenance, opensCase } = rule;
  return {
    ...emptyRule,
    ...{ name, severity, enabled, unit, excludesChanging, maintenance, opensCase },
    ...{ query: queryOfFilter(filter), targets: filter.targetListId ?? '' },
    ...draftOfCondition(condition),
    above: String(above),
    resolveAt: resolveAt === above ? '' : String(resolveAt),
    holdMinutes: String(holdMinutes),
    resolveMinutes: String(resolveMinutes),
    destinations: rule.destinations.map((kept) => ({
      ...{ key: kept.id, kind: kept.kind, value: kept.label, kept },
    })),
  };
}

function draftOfCondition(condition: AlertCondition): Partial<RuleDraft> {
  const { kind } = condition;
  switch (kind) {
    case 'offline':
      return { kind, minutes: String(condition.minutes) };
    case 'finding':
      return { kind, finding: condition.rule, findingSeverity: condition.severity };
    case 'metric': {
      const { metric, comparison, value } = condition;
      return { kind, metric, comparison, metricValue: String(value) };
    }
  }
}

/** Null while a number is missing or not possible. */
function conditionOfDraft(draft: RuleDraft): AlertCondition | null {
  const { kind, metric, comparison } = draft;
  const given =
    kind === 'offline'
      ? { kind, minutes: numberOf(draft.minutes) }
      : kind === 'finding'
        ? { kind, rule: draft.finding, severity: draft.findingSeverity }
        : { kind, metric, comparison, value: signedNumberOf(draft.metricValue) };
  return alertConditionSchema.safeParse(given).data ?? null;
}

/** What the rule evaluates; null while a number is missing or not possible. */
export function evaluatedPart(draft: RuleDraft): AlertRulePreviewRequest | null {
  const { unit, query, targets } = draft;
  const above = numberOf(draft.above);
  const resolveAt = draft.resolveAt.trim() === '' ? above : numberOf(draft.resolveAt);
  const holdMinutes = wholeOf(draft.holdMinutes, ALERT_LIMITS.holdMinutes);
  const resolveMinutes = wholeOf(draft.resolveMinutes, ALERT_LIMITS.resolveMinutes);
  const condition = conditionOfDraft(draft);
  if (above === null || resolveAt === null || holdMinutes === null || resolveMinutes === null) {
    return null;
  }
  if (resolveAt > above || (unit === 'percent' && above >= 100)) return null;
  if (unit === 'devices' && !(Number.isInteger(above) && Number.isInteger(resolveAt))) return null;
  if (condition === null) return null;
  const { excludesChanging, maintenance } = draft;
  if (!maintenance.every((each) => maintenanceWindowSchema.safeParse(each).success)) return null;
  const { filter } = decodeDeviceFilter({ q: encodeFilter(query), op: query.operation, targets });
  return {
    ...{ unit, above, resolveAt, holdMinutes, resolveMinutes },
    ...{ excludesChanging, maintenance: [...maintenance] },
    filter: {
      text: filter.text ?? '',
      tokens: filter.tokens ?? [],
      operation: filter.operation ?? 'and',
      targetListId: filter.targetListId ?? null,
    },
    condition,
  };
}

/** The rule to save; null while something is missing. */
export function ruleOfDraft(draft: RuleDraft): NewAlertRule | null {
  const evaluated = evaluatedPart(draft);
  const isNamed = draft.destinations.every(({ value }) => value.trim() !== '');
  if (evaluated === null || draft.name.trim() === '' || !isNamed) return null;
  const { name, severity, enabled, opensCase } = draft;
  return {
    ...{ name, severity, enabled, opensCase, ...evaluated },
    destinations: draft.destinations.map(destinationOf),
  };
}

function destinationOf({ kind, value, kept }: DestinationDraft): AlertDestinationInput {
  if (kept !== undefined) return { kind: 'kept', id: kept.id };
  const text = value.trim();
  if (kind === 'email') return { kind, addresses: addressesOf(text) };
  if (kind === 'pagerduty') return { kind, routingKey: text };
  return { kind, url: text };
}

const addressesOf = (text: string): string[] =>
  text.split(/[\s,，;；、]+/).filter((address) => address !== '');

function signedNumberOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

function numberOf(text: string): number | null {
  const value = signedNumberOf(text);
  return value !== null && value >= 0 ? value : null;
}

function wholeOf(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | null {
  const value = numberOf(text);
  return value !== null && Number.isInteger(value) && value >= min && value <= max ? value : null;
}
