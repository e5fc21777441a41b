import { z } from 'zod';
import { alertDeliveryStates } from '../alerts/alerts.ts';
import { webhookEventTypes, webhookPauseReasons } from '../webhooks/webhooks.ts';
import { publicIdSchema, timestampSchema } from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const publicWebhookSchema = z
  .object({
    id: publicIdSchema,
    name: z.string(),
    host: z.string().meta({ description: 'Of its address: the rest can contain keys.' }),
    eventTypes: z.array(z.enum(webhookEventTypes)),
    owner: z.string().nullable().meta({ description: 'Username.' }),
    own: z.boolean().meta({ description: 'Whether the user of the token is the owner.' }),
    pausedBecause: z.enum(webhookPauseReasons).nullable(),
    pausedAt: timestampSchema.nullable(),
    createdAt: timestampSchema,
    lastDeliveredAt: timestampSchema.nullable(),
    waiting: z.int().meta({ description: 'Deliveries that wait, or are being repeated.' }),
    failed: z.int().meta({ description: 'Deliveries that were given up.' }),
  })
  .meta({ id: 'Webhook' });

const deliverySchema = z
  .object({
    id: publicIdSchema.meta({ description: 'The header `webhook-id` of its request.' }),
    state: z.enum(alertDeliveryStates),
    events: z.int(),
    firstSequence: z.int().meta({ description: 'Number of its first event.' }),
    gapUntil: timestampSchema
      .nullable()
      .meta({ description: 'Events up to then were left out, because they waited for too long.' }),
    attempts: z.int(),
    status: z.int().nullable().meta({ description: 'HTTP status of the last response.' }),
    durationMs: z.number().nullable(),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'HTTP status or error code of the last attempt.' }),
    createdAt: timestampSchema,
    nextAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

const one = z.object({ webhook: publicIdSchema });
const shared = { tag: 'Webhooks', status: 200, permissions: ['webhooks:manage'] } as const;

/** Webhooks are created in the portal, because this requires a second step and shows a secret. */
export const webhookOperations = {
  listWebhooks: {
    ...shared,
    method: 'get',
    path: '/webhooks',
    summary: 'List webhooks',
    description:
      'Those of the user of the token, and all of them if `webhooks:manage` covers all devices. Webhooks are created and changed in the portal, because this requires a second step.',
    output: z.object({ items: z.array(publicWebhookSchema) }).meta({ id: 'WebhookList' }),
  },
  getWebhook: {
    ...shared,
    method: 'get',
    path: '/webhooks/{webhook}',
    summary: 'Get a webhook',
    params: one,
    output: publicWebhookSchema,
  },
  listWebhookDeliveries: {
    ...shared,
    method: 'get',
    path: '/webhooks/{webhook}/deliveries',
    summary: 'List the latest 100 deliveries of a webhook, newest first',
    params: one,
    output: z.object({ items: z.array(deliverySchema) }).meta({ id: 'WebhookDeliveryList' }),
  },
  testWebhook: {
    ...shared,
    method: 'post',
    path: '/webhooks/{webhook}/test',
    summary: 'Send a test to an own webhook',
    params: one,
    output: z
      .object({
        ok: z.boolean(),
        error: z.string().nullable().meta({ description: 'An HTTP status or an error code.' }),
        durationMs: z.number(),
      })
      .meta({ id: 'WebhookTest' }),
  },
  resendWebhookDelivery: {
    ...shared,
    method: 'post',
    path: '/webhook-deliveries/{delivery}/resend',
    summary: 'Send a failed delivery of an own webhook again',
    description: 'It is sent before those that wait, with the same ID.',
    params: z.object({ delivery: publicIdSchema }),
    output: z
      .object({ id: publicIdSchema, state: z.literal('waiting') })
      .meta({ id: 'ResentWebhookDelivery' }),
  },
} as const satisfies Record<string, PublicOperation>;
