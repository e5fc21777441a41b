import { z } from 'zod';
import type { WebhookEventType } from '../webhooks/webhooks.ts';
import { publicAlertSchema } from './alert-operations.ts';
import { publicCaseSchema } from './case-operations.ts';
import { publicIdSchema, timestampSchema } from './common-schemas.ts';
import { publicDeviceSchema } from './device-operations.ts';
import { publicImportSchema } from './import-operations.ts';
import { invocationSchema, runSchema } from './run-schemas.ts';

/** The kind of object of each type of event: the same schema as in `/api/v1`. */
export const webhookObjects = {
  'device.created': 'device',
  'device.changed': 'device',
  'device.retired': 'device',
  'device.online': 'device',
  'device.offline': 'device',
  'command.ended': 'invocation',
  'run.needs-approval': 'run',
  'run.finished': 'run',
  'case.opened': 'case',
  'case.changed': 'case',
  'case.closed': 'case',
  'case.reopened': 'case',
  'alert.fired': 'alert',
  'alert.resolved': 'alert',
  'import.finished': 'import',
  'import.undone': 'import',
} as const satisfies Record<WebhookEventType, string>;
export type WebhookObject = (typeof webhookObjects)[WebhookEventType];

export const webhookObjectSchemas = {
  device: publicDeviceSchema,
  invocation: invocationSchema,
  run: runSchema,
  case: publicCaseSchema,
  alert: publicAlertSchema,
  import: publicImportSchema,
} as const satisfies Record<WebhookObject, z.ZodType>;

const sequenceSchema = z.int().meta({
  description:
    'Counts the events of the webhook from 1. A missing number belongs to a request that was given up, or to an object that its owner can no longer see.',
});

const eventOf = <Object extends WebhookObject>(object: Object) =>
  z.object({
    id: publicIdSchema.meta({ description: 'The same in a repeated request.' }),
    type: z.enum(typesOf(object)),
    at: timestampSchema.meta({ description: 'When it was recorded.' }),
    sequence: sequenceSchema,
    data: webhookObjectSchemas[object].meta({
      description: 'The object at the time of the request, as its owner sees it in /api/v1.',
    }),
  });

const typesOf = (object: WebhookObject): WebhookEventType[] =>
  (Object.keys(webhookObjects) as WebhookEventType[]).filter(
    (type) => webhookObjects[type] === object,
  );

export const webhookEventSchema = z
  .union([
    eventOf('device'),
    eventOf('invocation'),
    eventOf('run'),
    eventOf('case'),
    eventOf('alert'),
    eventOf('import'),
  ])
  .meta({ id: 'WebhookEvent' });

/** The body of a request to a webhook (Standard Webhooks: `type`, `timestamp`, `data`). */
export const webhookBodySchema = z
  .union([
    z.object({
      type: z.literal('events'),
      timestamp: timestampSchema,
      data: z.object({
        webhookId: publicIdSchema,
        events: z.array(webhookEventSchema).min(1).max(100),
      }),
    }),
    z.object({
      type: z.literal('gap'),
      timestamp: timestampSchema,
      data: z.object({
        webhookId: publicIdSchema,
        until: timestampSchema.meta({
          description: 'Events up to this time are not sent, because they waited for too long.',
        }),
      }),
    }),
    z.object({
      type: z.literal('test'),
      timestamp: timestampSchema,
      data: z.object({ webhookId: publicIdSchema }),
    }),
  ])
  .meta({ id: 'WebhookBody' });
export type WebhookBody = z.input<typeof webhookBodySchema>;
