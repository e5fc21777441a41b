import { z } from 'zod';
import type { StepAction } from '@deviceportal/contract/ssm-document';

/** A number, or text that becomes one when parameters are put in. */
const numberLike = z.union([z.int().positive(), z.string().regex(/^(\d+|\{\{\s*\w+\s*\}\})$/)]);
const lines = z.union([z.string(), z.array(z.string()).min(1)]);

const script = z.strictObject({
  runCommand: lines,
  timeoutSeconds: numberLike.optional(),
  workingDirectory: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** Inputs of each action as SSM documents them; `sha256`, `source` and `env` are what our agent adds. */
export const stepInputs: Readonly<Record<StepAction, z.ZodType>> = {
  'aws:runShellScript': script,
  'aws:runPowerShellScript': script,
  'aws:downloadContent': z.strictObject({
    sourceType: z.string(),
    sourceInfo: z.union([z.string(), z.record(z.string(), z.unknown())]),
    destinationPath: z.string().optional(),
    sha256: z.string().optional(),
  }),
  'aws:configurePackage': z.strictObject({
    name: z.string(),
    action: z.string(),
    version: z.string().optional(),
    installationType: z.string().optional(),
    source: z.string().optional(),
    sha256: z.string().optional(),
    additionalArguments: z.unknown().optional(),
  }),
  'aws:softwareInventory': z.record(z.string(), z.unknown()),
  'aws:updateAgent': z.strictObject({
    agentName: z.string().optional(),
    allowDowngrade: z.union([z.boolean(), z.string()]).optional(),
    targetVersion: z.string().optional(),
    source: z.string().optional(),
    sha256: z.string().optional(),
  }),
  'aws:runDocument': z.strictObject({
    documentType: z.string(),
    documentPath: z.string(),
    documentParameters: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  }),
};
