import { z } from 'zod';
import { invocationState, runState, statusDetails, stepState } from '../states.ts';
import {
  consequenceSchema,
  keysOf,
  publicIdSchema,
  timestampSchema,
  valuesSchema,
} from './common-schemas.ts';

export const invocationSchema = z
  .object({
    id: publicIdSchema,
    runId: publicIdSchema,
    command: z.string().meta({ example: 'logs/tail' }),
    document: z.string(),
    documentVersion: z.int(),
    device: z.object({
      id: publicIdSchema,
      name: z.string(),
      serialNumber: z.string().nullable(),
    }),
    state: keysOf(invocationState),
    statusDetails: keysOf(statusDetails),
    exitCode: z.int().nullable(),
    queuedAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
    createdBy: z.string(),
    parameters: valuesSchema.meta({ description: 'Secrets are masked.' }),
    outputPreview: z.string().meta({ description: 'The first characters of the output.' }),
  })
  .meta({ id: 'Invocation', description: 'A run on one device.' });

const outputSchema = z.object({
  text: z.string(),
  offset: z.int(),
  total: z.int().meta({ description: 'Length received so far, in UTF-16 code units.' }),
  truncated: z.boolean(),
});

export const invocationDetailSchema = invocationSchema
  .extend({
    stdout: outputSchema,
    stderr: outputSchema,
    steps: z.array(
      z.object({
        name: z.string(),
        action: z.string(),
        state: keysOf(stepState),
        exitCode: z.int().nullable(),
        startedAt: timestampSchema.nullable(),
        endedAt: timestampSchema.nullable(),
        reason: z.string().nullable(),
      }),
    ),
    expiresAt: timestampSchema,
  })
  .meta({ id: 'InvocationDetail' });

export const runSchema = z
  .object({
    id: publicIdSchema,
    command: z.string().meta({ example: 'logs/tail' }),
    document: z.string(),
    documentVersion: z.int(),
    state: keysOf(runState),
    statusDetails: keysOf(statusDetails),
    devices: z.object({
      total: z.int(),
      pending: z.int(),
      inProgress: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      timedOut: z.int(),
      canceled: z.int(),
    }),
    parameters: valuesSchema.meta({ description: 'Secrets are masked.' }),
    reason: z.string(),
    createdBy: z.string(),
    createdAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    expiresAt: timestampSchema,
  })
  .meta({ id: 'Run' });

export const runDetailSchema = runSchema
  .extend({
    consequence: consequenceSchema,
    maxConcurrency: z.string(),
    maxErrors: z.string(),
    timeoutSeconds: z.int(),
    cancellable: z.boolean(),
  })
  .meta({ id: 'RunDetail' });

export const runReportSchema = z
  .object({
    run: runDetailSchema,
    outputs: z
      .array(
        z.object({
          statusDetails: keysOf(statusDetails),
          exitCode: z.int().nullable(),
          devices: z.int(),
          text: z.string(),
        }),
      )
      .meta({ description: 'Distinct outputs, by number of devices; at most 100.' }),
    distinctOutputs: z.int(),
    invocations: z.array(invocationSchema).meta({ description: 'At most 1,000.' }),
    complete: z.boolean().meta({
      description: 'False if the run has more invocations, or results that are not included yet.',
    }),
  })
  .meta({ id: 'RunReport' });
