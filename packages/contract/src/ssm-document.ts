/**
 * AWS Systems Manager *Command* documents, schema 2.2: the form in which every command is written
 * (decisions, sections 2 and 5). The same text runs on our agent and on SSM; what SSM does not know
 * stands beside the text, never in it.
 */

import { z } from 'zod';

export const parameterTypes = [
  'String',
  'StringList',
  'Integer',
  'Boolean',
  'StringMap',
  'MapList',
] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const stepActions = [
  'aws:runShellScript',
  'aws:runPowerShellScript',
  'aws:downloadContent',
  'aws:configurePackage',
  'aws:softwareInventory',
  'aws:updateAgent',
  'aws:runDocument',
] as const;
export type StepAction = (typeof stepActions)[number];

export const documentParameterSchema = z.strictObject({
  type: z.enum(parameterTypes),
  description: z.string().optional(),
  default: z.unknown().optional(),
  allowedValues: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  allowedPattern: z.string().optional(),
  minChars: z.int().nonnegative().optional(),
  maxChars: z.int().nonnegative().optional(),
  minItems: z.int().nonnegative().optional(),
  maxItems: z.int().nonnegative().optional(),
  displayType: z.enum(['textfield', 'textarea']).optional(),
  /** `ENV_VAR`: reaches a script only as the environment variable `SSM_<name>`, never as text of the script. */
  interpolationType: z.enum(['ENV_VAR', 'TEMPLATE']).optional(),
});

export const documentStepSchema = z.strictObject({
  action: z.enum(stepActions),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  precondition: z.strictObject({ StringEquals: z.tuple([z.string(), z.string()]) }).optional(),
  onFailure: z.enum(['exit', 'successAndExit']).optional(),
  onSuccess: z.enum(['exit']).optional(),
  finallyStep: z.boolean().optional(),
  maxAttempts: z.int().min(1).max(10).optional(),
  inputs: z.record(z.string(), z.unknown()),
});

export const ssmDocumentSchema = z.strictObject({
  schemaVersion: z.literal('2.2'),
  description: z.string().optional(),
  parameters: z
    .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/), documentParameterSchema)
    .optional(),
  mainSteps: z.array(documentStepSchema).min(1).max(100),
});

export type DocumentParameter = z.infer<typeof documentParameterSchema>;
export type DocumentStep = z.infer<typeof documentStepSchema>;
export type SsmDocument = z.infer<typeof ssmDocumentSchema>;
export type ParameterValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>
  | readonly Readonly<Record<string, string>>[];
