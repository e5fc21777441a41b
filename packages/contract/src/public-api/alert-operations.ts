import { z } from 'zod';
import { alertEndReasons, alertSeverities, alertUnits } from '../alerts/alerts.ts';
import {
  nextCursorSchema,
  pageQuery,
  publicIdSchema,
  timestampSchema,
  valuesSchema,
} from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

export const publicAlertSchema = z
  .object({
    id: publicIdSchema,
    rule: z.object({ id: publicIdSchema, name: z.string() }),
    severity: z.enum(alertSeverities),
    condition: valuesSchema.meta({ description: 'Of the rule, when the alert fired.' }),
    unit: z.enum(alertUnits),
    above: z.number().meta({ description: 'The threshold, in the unit.' }),
    startedAt: timestampSchema,
    resolvedAt: timestampSchema.nullable(),
    reason: z.enum(alertEndReasons).nullable().meta({ description: 'Why it was resolved.' }),
    matching: z.number().meta({ description: 'Devices with the problem.' }),
    total: z.number().meta({ description: 'Devices that the rule watches.' }),
    peak: z.number().meta({ description: 'Most devices with the problem so far.' }),
    failedDeliveries: z.number(),
  })
  .meta({ id: 'Alert' });

export const alertOperations = {
  listAlerts: {
    method: 'get',
    path: '/alerts',
    tag: 'Alerts',
    summary: 'List alerts, newest first',
    description: 'Alerts of rules whose devices are all within the scope of the token.',
    query: z.strictObject({
      state: z.enum(['firing', 'resolved']).default('firing'),
      ...pageQuery,
    }),
    output: z
      .object({ items: z.array(publicAlertSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'AlertPage' }),
    status: 200,
    permissions: ['alerts:read'],
  },
} as const satisfies Record<string, PublicOperation>;
