import { z } from 'zod';
import { metricDefinitions, metricNames, type MetricName } from '../devices/device-metrics.ts';
import { deviceFilterSchema, type DeviceFilter } from '../devices/devices.ts';
import { findingRules } from '../devices/finding-rules.ts';
import { idSchema } from '../ids.ts';
import { utcMomentSchema } from '../moment.ts';
import { nameSchema } from '../name-schema.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import { maintenanceWindowSchema, type MaintenanceWindow } from './maintenance-windows.ts';

export const alertSeverities = ['critical', 'warning', 'info'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const ALERT_LIMITS = {
  destinations: 5,
  addresses: 10,
  offlineMinutes: { min: 1, max: 10_080 },
  holdMinutes: { min: 0, max: 1_440 },
  /** At least a minute, so that a start and its end are not sent in the same moment. */
  resolveMinutes: { min: 1, max: 1_440 },
  /** Days that a preview covers. */
  previewDays: 7,
  /** A rule can be muted for this many days. */
  muteDays: 31,
  maintenanceWindows: 5,
  /** Alerts of a rule, and of all rules of a user, whose start and end are sent within an hour. */
  noticesPerHour: { rule: 6, owner: 100 },
} as const;

export const alertComparisons = ['atLeast', 'atMost'] as const;

/**
 * `offline`: active devices that have been offline for a number of minutes. `finding`: devices with an open finding.
 * `metric`: devices whose newest sample, if it is recent, has a value of at least, or at most, a limit.
 */
export const alertConditionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('offline'),
    minutes: z.int().min(ALERT_LIMITS.offlineMinutes.min).max(ALERT_LIMITS.offlineMinutes.max),
  }),
  z.object({
    kind: z.literal('finding'),
    rule: z.enum(['any', ...findingRules]),
    /** The least severe one that counts. */
    severity: z.enum(['warning', 'error']),
  }),
  z
    .object({
      kind: z.literal('metric'),
      metric: z.enum(metricNames),
      comparison: z.enum(alertComparisons),
      value: z.number(),
    })
    .refine(isPossibleValue, {
      path: ['value'],
      message: 'must be a possible value of the metric',
    }),
]);
export type AlertCondition = z.output<typeof alertConditionSchema>;

function isPossibleValue({
  metric,
  value,
}: {
  readonly metric: MetricName;
  readonly value: number;
}): boolean {
  const { min, max } = metricDefinitions[metric];
  return value >= min && value <= max;
}

export const alertUnits = ['percent', 'devices'] as const;
export type AlertUnit = (typeof alertUnits)[number];

const thresholdFields = {
  unit: z.enum(alertUnits),
  /** The rule fires if the share or number of devices is above it. */
  above: z.number().min(0).max(10_000_000),
  /** A firing alert resolves if the share or number is at or below it. */
  resolveAt: z.number().min(0).max(10_000_000),
  /** For how many minutes in a row the value must be above the threshold. */
  holdMinutes: z.int().min(ALERT_LIMITS.holdMinutes.min).max(ALERT_LIMITS.holdMinutes.max),
  /** For how many minutes in a row the value must be low enough to resolve. */
  resolveMinutes: z.int().min(ALERT_LIMITS.resolveMinutes.min).max(ALERT_LIMITS.resolveMinutes.max),
};
const threshold = z.object(thresholdFields);
export type AlertThreshold = z.output<typeof threshold>;

const isConsistent = ({ above, resolveAt }: AlertThreshold): boolean => resolveAt <= above;
const fits = ({ unit, above, resolveAt }: AlertThreshold): boolean =>
  unit === 'percent' ? above < 100 : Number.isInteger(above) && Number.isInteger(resolveAt);
const inconsistent = { path: ['resolveAt'], message: 'must not be above the threshold' };
const misfit = {
  path: ['above'],
  message: 'must be below 100 for a share, and an integer for a number of devices',
};

export const alertDestinationKinds = ['email', 'webhook', 'slack', 'teams', 'pagerduty'] as const;
export type AlertDestinationKind = (typeof alertDestinationKinds)[number];

const hookUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/** `kept`: a destination that the rule already has, unchanged. */
export const alertDestinationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), id: idSchema }),
  z.object({
    kind: z.literal('email'),
    addresses: z.array(z.email().max(320)).min(1).max(ALERT_LIMITS.addresses),
  }),
  z.object({ kind: z.literal('webhook'), url: hookUrl }),
  z.object({ kind: z.literal('slack'), url: hookUrl }),
  z.object({ kind: z.literal('teams'), url: hookUrl }),
  z.object({
    kind: z.literal('pagerduty'),
    routingKey: z.string().regex(/^[0-9a-zA-Z]{32}$/, 'must have 32 letters and digits'),
  }),
]);
export type AlertDestinationInput = z.output<typeof alertDestinationSchema>;
export type NewAlertDestination = Exclude<AlertDestinationInput, { readonly kind: 'kept' }>;

const evaluated = {
  filter: deviceFilterSchema.prefault({}),
  condition: alertConditionSchema,
  /** Whether devices do not count while a command that changes them runs on them. */
  excludesChanging: z.boolean().default(true),
  maintenance: z.array(maintenanceWindowSchema).max(ALERT_LIMITS.maintenanceWindows).default([]),
  ...thresholdFields,
};

const ruleFields = z.object({
  name: nameSchema({ max: 120 }),
  severity: z.enum(alertSeverities),
  enabled: z.boolean().default(true),
  /** Whether an alert opens cases for the people who own its devices, or joins those that are open. */
  opensCase: z.boolean().default(false),
  destinations: z.array(alertDestinationSchema).max(ALERT_LIMITS.destinations),
  ...evaluated,
});

export const createAlertRuleInput = ruleFields
  .refine(isConsistent, inconsistent)
  .refine(fits, misfit);
export type NewAlertRule = z.output<typeof createAlertRuleInput>;

export const changeAlertRuleInput = ruleFields
  .extend({ id: idSchema, revision: z.int().min(1) })
  .refine(isConsistent, inconsistent)
  .refine(fits, misfit);
export type ChangedAlertRule = z.output<typeof changeAlertRuleInput>;

export const previewAlertRuleInput = z
  .object(evaluated)
  .refine(isConsistent, inconsistent)
  .refine(fits, misfit);
export type AlertRulePreviewRequest = z.output<typeof previewAlertRuleInput>;

export const alertRuleReference = z.object({ id: idSchema });
export const muteAlertRuleInput = z.object({
  id: idSchema,
  /** Null ends a mute. */
  until: utcMomentSchema.nullable(),
});
export const testAlertDestinationInput = z.object({ destinationId: idSchema });
export const retryAlertDeliveryInput = z.object({ id: idSchema });
export const listAlertsInput = z.object({
  state: z.enum(['firing', 'resolved']),
  cursor: cursorSchema,
  pageSize: pageSizeSchema,
});
export const listAlertDeliveriesInput = z.object({ alertId: idSchema });

/** Why a rule is not evaluated: `owner`: its owner lost the necessary permissions; `failed`: the last evaluation failed. */
export type AlertRuleProblem = 'owner' | 'failed';

/** `pending`: above the threshold, but not for long enough. `recovering`: low enough, but not for long enough. */
export const alertPhases = ['ok', 'pending', 'firing', 'recovering'] as const;
export type AlertPhase = (typeof alertPhases)[number];

export interface AlertDestinationRow {
  readonly id: string;
  readonly kind: AlertDestinationKind;
  /** Email addresses, the host of an address, or the end of a key. */
  readonly label: string;
}

export interface AlertRuleRow extends AlertThreshold {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly owner: string | null;
  /** Only the owner can change a rule, because it sees what its owner sees. */
  readonly isOwn: boolean;
  readonly severity: AlertSeverity;
  readonly enabled: boolean;
  readonly mutedUntil: Timestamp | null;
  readonly excludesChanging: boolean;
  readonly opensCase: boolean;
  readonly maintenance: readonly MaintenanceWindow[];
  /** The end of the current maintenance window. */
  readonly maintenanceUntil: Timestamp | null;
  /** Until then, no start of an alert is sent, because there were too many. */
  readonly noticesPausedUntil: Timestamp | null;
  readonly filter: DeviceFilter;
  readonly condition: AlertCondition;
  readonly destinations: readonly AlertDestinationRow[];
  readonly phase: AlertPhase;
  /** Of the last evaluation; null before the first one. */
  readonly matching: number | null;
  readonly total: number | null;
  readonly evaluatedAt: Timestamp | null;
  readonly problem: AlertRuleProblem | null;
}

export const alertEndReasons = [
  'recovered',
  'rule-changed',
  'rule-disabled',
  'rule-deleted',
  'owner-lost-access',
] as const;
export type AlertEndReason = (typeof alertEndReasons)[number];

export interface AlertRow {
  readonly id: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly severity: AlertSeverity;
  readonly condition: AlertCondition;
  readonly filter: DeviceFilter;
  readonly unit: AlertUnit;
  readonly above: number;
  readonly startedAt: Timestamp;
  readonly resolvedAt: Timestamp | null;
  readonly reason: AlertEndReason | null;
  readonly matching: number;
  readonly total: number;
  /** The largest number of matching devices so far. */
  readonly peak: number;
  /** Cases that it opened or joined. */
  readonly caseIds: readonly string[];
  /** Deliveries that were given up. */
  readonly failedDeliveries: number;
}

export const alertDeliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const;
export type AlertDeliveryState = (typeof alertDeliveryStates)[number];
export type AlertEvent = 'firing' | 'resolved' | 'test';

export interface AlertDeliveryRow {
  readonly id: string;
  readonly event: AlertEvent;
  readonly kind: AlertDestinationKind;
  readonly state: AlertDeliveryState;
  readonly attempts: number;
  /** An HTTP status or an error code, without content of the response. */
  readonly lastError: string | null;
  readonly createdAt: Timestamp;
  readonly nextAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  /** Whether the viewer can send it again. */
  readonly canRetry: boolean;
}

export interface AlertTestResult {
  readonly ok: boolean;
  /** For a failed test: an HTTP status or an error code. */
  readonly error: string | null;
}

export interface SavedAlertRule {
  readonly id: string;
  /** Signing secrets of new webhooks. They cannot be shown again. */
  readonly secrets: readonly { readonly label: string; readonly secret: string }[];
}

export interface AlertFiring {
  readonly startedAt: Timestamp;
  readonly resolvedAt: Timestamp | null;
  readonly peak: number;
}

export interface AlertRulePreview {
  readonly now: { readonly matching: number; readonly total: number };
  /** Null if the history of these devices is too long to be read for a preview. */
  readonly history: {
    readonly from: Timestamp;
    readonly firings: readonly AlertFiring[];
  } | null;
}

/** The measured value in the unit of the threshold. A set without devices has none that match. */
export function alertValue(
  unit: AlertUnit,
  { matching, total }: { readonly matching: number; readonly total: number },
): number {
  if (unit === 'devices') return matching;
  return total === 0 ? 0 : (matching / total) * 100;
}
