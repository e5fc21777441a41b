import { z } from 'zod';
import { DEFAULT_DELIVERY_TIMEOUT_SECONDS } from '../constants.ts';
import { invocationState } from '../states.ts';
import { runCommandInput } from '../commands/runs.ts';
import {
  consequenceSchema,
  flagSchema,
  keysOf,
  nextCursorSchema,
  pageQuery,
  publicIdSchema,
  repeated,
} from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';
import {
  invocationDetailSchema,
  invocationSchema,
  runDetailSchema,
  runReportSchema,
  runSchema,
} from './run-schemas.ts';

/** Devices of one request. Larger sets are rollouts, which people start in the portal. */
const MOST_RUN_DEVICES = 100;

const newRunSchema = z
  .strictObject({
    command: z.string().min(1).max(128).meta({ example: 'logs/tail' }),
    document: z.string().max(160).default('').meta({
      description:
        '`name` or `name:version`, for commands that run any document. Default: the document of the command.',
    }),
    devices: z
      .array(z.string().trim().min(1).max(64))
      .min(1)
      .max(MOST_RUN_DEVICES)
      .meta({ description: 'IDs or serial numbers.', example: ['LK2DE00151'] }),
    parameters: z.record(z.string(), z.unknown()).default({}),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .meta({ description: 'Shown with the run, and recorded.', example: 'Ticket 4711' }),
    caseId: publicIdSchema
      .optional()
      .meta({ description: 'An open case that you work in, to which the run is linked.' }),
    timeoutSeconds: runCommandInput.shape.timeoutSeconds.meta({
      description: `How long to wait for offline devices. Default: ${DEFAULT_DELIVERY_TIMEOUT_SECONDS}.`,
    }),
    maxConcurrency: runCommandInput.shape.maxConcurrency.meta({
      description: 'A number of devices or a percentage.',
    }),
    maxErrors: runCommandInput.shape.maxErrors.meta({
      description: 'The run stops after more failures than this number or percentage.',
    }),
    skipUnavailable: z.boolean().default(false).meta({
      description:
        'Leaves out devices that cannot run it (suspended, retired, locked, not permitted). Otherwise, the request is rejected if there is one.',
    }),
  })
  .meta({ id: 'NewRun' });

const run = z.object({ run: publicIdSchema });

export const commandOperations = {
  listCommands: {
    method: 'get',
    path: '/commands',
    tag: 'Commands',
    summary: 'List the commands of the catalog',
    output: z
      .object({
        items: z.array(
          z
            .object({
              command: z.string().meta({ example: 'logs/tail' }),
              description: z.string(),
              document: z.string().nullable(),
              consequence: consequenceSchema,
              platforms: z.array(z.string()),
              allowed: z.boolean().meta({
                description: 'Whether this token can run it on any device.',
              }),
            })
            .meta({ id: 'Command' }),
        ),
      })
      .meta({ id: 'CommandList' }),
    status: 200,
    permissions: ['commands:read'],
  },
  createRun: {
    method: 'post',
    path: '/runs',
    tag: 'Commands',
    summary: 'Run a command on devices',
    description:
      'A repeated request with the same Idempotency-Key returns the same run. Commands that destroy require a second step and are rejected.',
    body: newRunSchema,
    output: runDetailSchema,
    status: 201,
    idempotencyKey: 'required',
    permissions: ['commands:read', 'devices:read', 'commands:run:…'],
  },
  listRuns: {
    method: 'get',
    path: '/runs',
    tag: 'Commands',
    summary: 'List runs, newest first',
    query: z.strictObject({
      mine: flagSchema.meta({ description: 'Only runs of the user or service of the token.' }),
      active: flagSchema.meta({ description: 'Only runs that have not ended.' }),
      ...pageQuery,
    }),
    output: z
      .object({ items: z.array(runSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'RunPage' }),
    status: 200,
    permissions: ['commands:read'],
  },
  getRun: {
    method: 'get',
    path: '/runs/{run}',
    tag: 'Commands',
    summary: 'Get a run',
    params: run,
    output: runDetailSchema,
    status: 200,
    permissions: ['commands:read'],
  },
  listRunInvocations: {
    method: 'get',
    path: '/runs/{run}/invocations',
    tag: 'Commands',
    summary: 'List the invocations of a run, one for each device',
    params: run,
    query: z.strictObject({ state: repeated(keysOf(invocationState)), ...pageQuery }),
    output: z
      .object({ items: z.array(invocationSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'RunInvocationPage' }),
    status: 200,
    permissions: ['commands:read'],
  },
  getInvocation: {
    method: 'get',
    path: '/invocations/{invocation}',
    tag: 'Commands',
    summary: 'Get the result of a run on one device, with its output',
    params: z.object({ invocation: publicIdSchema }),
    query: z.strictObject({
      stdoutFrom: z.coerce.number().int().min(0).default(0).meta({
        description: 'Only the output from this offset, to follow a running command.',
      }),
      stderrFrom: z.coerce.number().int().min(0).default(0),
    }),
    output: invocationDetailSchema,
    status: 200,
    permissions: ['commands:read'],
  },
  cancelRun: {
    method: 'post',
    path: '/runs/{run}/cancel',
    tag: 'Commands',
    summary: 'Cancel a run',
    description: 'What a device already executes is ended where the command allows it.',
    params: run,
    output: runDetailSchema,
    status: 200,
    permissions: ['commands:read', 'commands:run:…'],
  },
  getRunReport: {
    method: 'get',
    path: '/runs/{run}/report',
    tag: 'Commands',
    summary: 'Get the report of a run: its results and distinct outputs',
    params: run,
    output: runReportSchema,
    status: 200,
    permissions: ['commands:read'],
  },
} as const satisfies Record<string, PublicOperation>;
