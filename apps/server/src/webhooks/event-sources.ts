import type { AuditType } from '@deviceportal/contract/audit-trail';
import { webhookObjects, type WebhookObject } from '@deviceportal/contract/webhook-events';
import type { WebhookEventType } from '@deviceportal/contract/webhooks';

/** The entries of the audit trail that are sent, and as what. */
const sources = {
  'device.created': 'device.created',
  'device.updated': 'device.changed',
  'device.labels-changed': 'device.changed',
  'device.suspended': 'device.changed',
  'device.resumed': 'device.changed',
  'device.retired': 'device.retired',
  'device.connected': 'device.online',
  'device.disconnected': 'device.offline',
  'command.finished': 'command.ended',
  'command.cancelled': 'command.ended',
  'command.timed-out': 'command.ended',
  'command.terminated': 'command.ended',
  'command.approval-requested': 'run.needs-approval',
  'command.run-finished': 'run.finished',
  'case.opened': 'case.opened',
  'case.updated': 'case.changed',
  'case.assigned': 'case.changed',
  'case.unassigned': 'case.changed',
  'case.note-added': 'case.changed',
  'case.closed': 'case.closed',
  'case.reopened': 'case.reopened',
  'alert.fired': 'alert.fired',
  'alert.resolved': 'alert.resolved',
  'import.completed': 'import.finished',
  'import.undone': 'import.undone',
} as const satisfies Partial<Record<AuditType, WebhookEventType>>;

/** Types of the audit trail that any webhook can send. */
export const sourceTypes = Object.keys(sources) as (keyof typeof sources)[];

/** An entry of the audit trail with the IDs of what it is about. */
export interface TrailEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly deviceId: string | null;
  readonly runId: string | null;
  readonly invocationId: string | null;
  readonly caseId: string | null;
  readonly alertId: string | null;
  readonly importId: string | null;
}

export interface WebhookEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: WebhookEventType;
  readonly at: string;
  readonly object: WebhookObject;
  readonly objectId: string;
}

const idOf: Readonly<Record<WebhookObject, (event: TrailEvent) => string | null>> = {
  device: ({ deviceId }) => deviceId,
  invocation: ({ invocationId }) => invocationId,
  run: ({ runId }) => runId,
  case: ({ caseId }) => caseId,
  alert: ({ alertId }) => alertId,
  import: ({ importId }) => importId,
};

/** What a webhook sends of entries of the audit trail; entries without an object are left out. */
export const webhookEventsOf = (entries: readonly TrailEvent[]): WebhookEvent[] =>
  entries.flatMap((entry) => {
    if (!Object.hasOwn(sources, entry.type)) return [];
    const type = sources[entry.type as keyof typeof sources];
    const object = webhookObjects[type];
    const objectId = idOf[object](entry);
    const { id, sequence, at } = entry;
    return objectId === null ? [] : [{ id, sequence, at, type, object, objectId }];
  });
