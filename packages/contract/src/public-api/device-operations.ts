import { z } from 'zod';
import { connectivity, deviceLifecycle, tavState } from '../states.ts';
import { deviceSorts } from '../devices/devices.ts';
import {
  deviceReference,
  factsSchema,
  flagSchema,
  keysOf,
  nextCursorSchema,
  pageQuery,
  publicIdSchema,
  repeated,
  timestampSchema,
} from './common-schemas.ts';
import { invocationSchema } from './run-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

export const publicDeviceSchema = z
  .object({
    id: publicIdSchema,
    serialNumber: z.string().nullable().meta({ example: 'LK2DE00151' }),
    name: z.string().meta({ example: 'locker-koeln-151' }),
    model: z.string().nullable(),
    owner: z
      .object({ id: publicIdSchema, name: z.string() })
      .nullable()
      .meta({ description: 'The name is masked without the permission people:read.' }),
    country: z.string().nullable().meta({ example: 'DE' }),
    labels: z.record(z.string(), z.string()),
    lifecycle: keysOf(deviceLifecycle),
    connectivity: keysOf(connectivity),
    connectivitySince: timestampSchema.nullable(),
    lastSeenAt: timestampSchema.nullable(),
    platform: z.string().nullable(),
    agentVersion: z.string().nullable(),
    softwareVersion: z
      .string()
      .nullable()
      .meta({ description: 'Version of the firmware, or else of the operating system.' }),
    ipAddress: z.string().nullable(),
    findings: z
      .array(z.object({ rule: z.string(), severity: z.enum(['error', 'warning']) }))
      .meta({ description: 'Open findings, most severe first.' }),
  })
  .meta({ id: 'Device' });

const publicDeviceDetailSchema = publicDeviceSchema
  .extend({
    problems: z
      .array(
        z.object({
          code: z.string().meta({ example: 'offline' }),
          severity: z.enum(['error', 'warning', 'info', 'success']),
          since: timestampSchema.nullable(),
          facts: factsSchema,
          suggestedCommand: z.string().nullable().meta({ example: 'network/diagnose' }),
        }),
      )
      .meta({ description: 'What is wrong, most severe first; `healthy` if nothing is.' }),
    disconnectReason: z.string().nullable(),
    expectedBack: z
      .object({
        by: timestampSchema,
        share: z.number().meta({ description: 'Probability, from 0 to 1.' }),
      })
      .nullable()
      .meta({ description: 'For an offline device with enough history.' }),
    timeZone: z.string().nullable(),
    diskUsedPercent: z.number().nullable(),
    memoryUsedPercent: z.number().nullable(),
    uptimeSeconds: z.number().nullable(),
    software: z.array(
      z.object({
        component: z.string(),
        version: z.string(),
        approval: keysOf(tavState)
          .nullable()
          .meta({ description: 'Compared with the approved version.' }),
        since: timestampSchema,
      }),
    ),
  })
  .meta({ id: 'DeviceDetail' });

export const deviceOperations = {
  listDevices: {
    method: 'get',
    path: '/devices',
    tag: 'Devices',
    summary: 'Find devices',
    description:
      'Devices that match all parameters. Several values of one parameter are alternatives.',
    query: z.strictObject({
      text: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'In serial number, name, owner, model, and labels.' }),
      serialNumber: repeated(z.string().max(64)),
      model: repeated(z.string().max(128)),
      country: repeated(z.string().max(2)).meta({ example: ['DE'] }),
      connectivity: repeated(keysOf(connectivity)),
      lifecycle: repeated(keysOf(deviceLifecycle)),
      label: repeated(z.string().max(256)).meta({ description: '`key:value`, or `key`.' }),
      finding: repeated(z.string().max(64)).meta({ description: 'A rule, or `any`.' }),
      sort: z.enum(deviceSorts).default('lastSeen'),
      descending: flagSchema.meta({ description: 'Default: true.' }),
      ...pageQuery,
    }),
    output: z
      .object({
        items: z.array(publicDeviceSchema),
        nextCursor: nextCursorSchema,
        complete: z.boolean().meta({
          description: 'False if the search ended early: there can be more items on the next page.',
        }),
      })
      .meta({ id: 'DevicePage' }),
    status: 200,
    permissions: ['devices:read'],
  },
  getDevice: {
    method: 'get',
    path: '/devices/{device}',
    tag: 'Devices',
    summary: 'Get a device, with what is wrong and its connectivity',
    params: z.object({ device: deviceReference }),
    output: publicDeviceDetailSchema,
    status: 200,
    permissions: ['devices:read'],
  },
  listDeviceInvocations: {
    method: 'get',
    path: '/devices/{device}/invocations',
    tag: 'Devices',
    summary: 'List the commands that were run on a device',
    params: z.object({ device: deviceReference }),
    query: z.strictObject(pageQuery),
    output: z
      .object({ items: z.array(invocationSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'InvocationPage' }),
    status: 200,
    permissions: ['devices:read', 'commands:read'],
  },
} as const satisfies Record<string, PublicOperation>;
