import { z } from 'zod';
import { momentSchema } from '../moment.ts';
import {
  deviceReference,
  nextCursorSchema,
  pageQuery,
  publicIdSchema,
  repeated,
  timestampSchema,
  valuesSchema,
} from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const auditEventSchema = z
  .object({
    id: publicIdSchema,
    at: timestampSchema,
    type: z.string().meta({ example: 'command.requested' }),
    device: z
      .object({
        id: publicIdSchema,
        name: z.string().nullable(),
        serialNumber: z.string().nullable(),
      })
      .nullable(),
    actor: z
      .object({
        kind: z.enum(['user', 'device', 'system']),
        id: z.string().nullable(),
        name: z.string(),
      })
      .meta({ description: 'The name is masked without the permission people:read.' }),
    command: z.string().nullable(),
    requestId: z.string().nullable(),
    data: valuesSchema,
  })
  .meta({ id: 'AuditEvent' });

export const auditOperations = {
  listAuditEvents: {
    method: 'get',
    path: '/audit-events',
    tag: 'Audit trail',
    summary: 'List events of the audit trail, newest first',
    description:
      'With a limited scope, only events of its devices. Archived months are not included: download their files in the portal. A sealed export with its proof requires a second step, which an application cannot perform.',
    query: z.strictObject({
      from: momentSchema.optional(),
      to: momentSchema.optional(),
      type: repeated(z.string().max(128)).meta({
        description: 'A type, or the start of types: `command.*`.',
      }),
      device: deviceReference
        .optional()
        .meta({ description: 'ID or serial number; requires devices:read.' }),
      actor: z.string().max(128).optional().meta({ description: 'ID of a user.' }),
      run: publicIdSchema.optional(),
      case: publicIdSchema.optional(),
      text: z.string().trim().max(200).optional(),
      ...pageQuery,
    }),
    output: z
      .object({
        items: z.array(auditEventSchema),
        nextCursor: nextCursorSchema,
        complete: z.boolean().meta({
          description: 'False if the search ended early: there can be more items on the next page.',
        }),
        archivedUntil: timestampSchema.nullable().meta({
          description: 'On the last page: the newest archived event in the time range.',
        }),
      })
      .meta({ id: 'AuditEventPage' }),
    status: 200,
    permissions: ['audit-trail:read', 'devices:read'],
  },
} as const satisfies Record<string, PublicOperation>;
