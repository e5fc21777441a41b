import { z } from 'zod';
import type { StepAction } from '@deviceportal/contract/ssm-document';

/** A number, or a text that is one after parameters are substituted. */
const numberLike = z.union([z.int().positive(), z.string().regex(/^(\d+|\{\{\s*\w+\s*\}\})$/)]);
/** The only value that the agent supports, or a text that is it after parameters are substituted. */
const onlyKind = (kind: string) =>
  z.string().refine((text) => text === kind || text.includes('{{'), `only ${kind} is known here`);
/** SSM allows it for scripts only; the agent applies it to every action. */
const timeoutSeconds = numberLike.optional();
const NAMED = /^[a-zA-Z0-9_.-]{3,128}(:[1-9]\d{0,8})?$/;
const lines = z.union([z.string(), z.array(z.string()).min(1)]);

const script = z.strictObject({
  runCommand: lines,
  timeoutSeconds,
  workingDirectory: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** Inputs of each action as documented for SSM. `sha256`, `source`, and `env` are extensions of the agent. */
export const stepInputs: Readonly<Record<StepAction, z.ZodType>> = {
  'aws:runShellScript': script,
  'aws:runPowerShellScript': script,
  'aws:downloadContent': z.strictObject({
    sourceType: onlyKind('HTTP'),
    sourceInfo: z.union([z.string(), z.record(z.string(), z.unknown())]),
    destinationPath: z.string().optional(),
    sha256: z.string().optional(),
    timeoutSeconds,
  }),
  'aws:configurePackage': z.strictObject({
    name: z.string(),
    action: z.string(),
    version: z.string().optional(),
    installationType: z.string().optional(),
    source: z.string().optional(),
    sha256: z.string().optional(),
    additionalArguments: z.unknown().optional(),
    timeoutSeconds,
  }),
  'aws:softwareInventory': z.record(z.string(), z.unknown()),
  'aws:updateAgent': z.strictObject({
    agentName: z.string().optional(),
    allowDowngrade: z.union([z.boolean(), z.string()]).optional(),
    targetVersion: z.string().optional(),
    source: z.string().optional(),
    sha256: z.string().optional(),
    timeoutSeconds,
  }),
  'aws:runDocument': z
    .strictObject({
      documentType: z.enum(['SSMDocument', 'LocalPath']),
      documentPath: z.string(),
      documentParameters: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
      timeoutSeconds,
    })
    .refine(
      ({ documentType, documentPath }) => documentType === 'LocalPath' || NAMED.test(documentPath),
      {
        // The documents that a run pins, and their consequence, must be known before the run.
        message: 'must be the name of a document, or name:version',
        path: ['documentPath'],
      },
    ),
};

/** Extensions of the agent. */
export const agentOnlyInputs: Readonly<Record<StepAction, readonly string[]>> = {
  'aws:runShellScript': ['env'],
  'aws:runPowerShellScript': ['env'],
  'aws:downloadContent': ['sha256', 'timeoutSeconds'],
  'aws:configurePackage': ['source', 'sha256', 'timeoutSeconds'],
  'aws:softwareInventory': ['timeoutSeconds'],
  'aws:updateAgent': ['source', 'sha256', 'timeoutSeconds'],
  'aws:runDocument': ['timeoutSeconds'],
};
