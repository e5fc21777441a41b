import type {
  AlertCondition,
  AlertEndReason,
  AlertEvent,
  AlertSeverity,
  AlertUnit,
} from '@deviceportal/contract/alerts';
import type { MessageLanguage } from '../messages/message-words.ts';

/** What a receiver learns about a state change. */
export interface AlertNotice {
  readonly event: AlertEvent;
  readonly alertId: string;
  readonly ruleId: string;
  readonly rule: string;
  readonly severity: AlertSeverity;
  readonly condition: AlertCondition;
  readonly unit: AlertUnit;
  readonly above: number;
  readonly matching: number;
  readonly total: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly at: string;
  readonly reason: AlertEndReason | null;
  /** Some of the matching devices. */
  readonly devices: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
  /** Of the owner of the rule. */
  readonly language: MessageLanguage;
}
