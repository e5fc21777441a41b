/**
 * AWS Systems Manager *Command* documents, schema 2.2, the format of all commands
 * (docs/design/decisions.md, sections 2 and 5). The same text runs on our agent and on SSM.
 * Anything that SSM does not support is stored separately from the text.
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
  /**
   * `ENV_VAR`: passed to a script only as the environment variable `SSM_<name>`, never substituted
   * into its text.
   */
  interpolationType: z.enum(['ENV_VAR', 'TEMPLATE']).optional(),
});

const sharedInputs = ['onFailure', 'onSuccess', 'finallyStep'] as const;

/**
 * SSM defines these three among the inputs of a step ("shared inputs"). They are also accepted on
 * the step itself, and moved there, so that code reads them in one place. If both exist, the one in
 * `inputs` stays as an unknown input.
 */
function liftSharedInputs(step: unknown): unknown {
  if (!isRecord(step) || !isRecord(step.inputs)) return step;
  const { inputs } = step;
  const lifted = sharedInputs.filter((name) => name in inputs && !(name in step));
  if (lifted.length === 0) return step;
  const isLifted = ([name]: [string, unknown]): boolean => lifted.some((one) => one === name);
  const entries = Object.entries(inputs);
  return {
    ...step,
    ...Object.fromEntries(entries.filter(isLifted)),
    inputs: Object.fromEntries(entries.filter((entry) => !isLifted(entry))),
  };
}

/** The same document with the three in SSM's place. */
export function sinkSharedInputs(document: SsmDocument): unknown {
  const mainSteps = document.mainSteps.map(({ onFailure, onSuccess, finallyStep, ...step }) => {
    const shared = Object.entries({ onFailure, onSuccess, finallyStep });
    const given = shared.filter(([, value]) => value !== undefined);
    return { ...step, inputs: { ...step.inputs, ...Object.fromEntries(given) } };
  });
  return { ...document, mainSteps };
}

/** Which of the three are next to the step's inputs, where SSM ignores them. */
export function misplacedSharedInputs(writtenStep: unknown): readonly string[] {
  return isRecord(writtenStep) ? sharedInputs.filter((name) => name in writtenStep) : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const writtenStepSchema = z.strictObject({
  action: z.enum(stepActions),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  precondition: z.strictObject({ StringEquals: z.tuple([z.string(), z.string()]) }).optional(),
  onFailure: z.enum(['exit', 'successAndExit']).optional(),
  onSuccess: z.enum(['exit']).optional(),
  finallyStep: z.boolean().optional(),
  maxAttempts: z.int().min(1).max(10).optional(),
  inputs: z.record(z.string(), z.unknown()),
});

export const documentStepSchema = z.preprocess(liftSharedInputs, writtenStepSchema);

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

/** Address that `aws:downloadContent` uses for the stored file of a version. Not part of SSM. */
const ARTIFACT_ADDRESS =
  /(?<![A-Za-z])deviceportal:software\/([a-zA-Z0-9][a-zA-Z0-9_.-]{0,127})\/([0-9A-Za-z][0-9A-Za-z.+_~-]{0,63})/;

/**
 * The version in `deviceportal:software/{component}/{version}`; null if the text is not such an
 * address.
 */
export function readArtifactAddress(
  text: string,
): { readonly component: string; readonly version: string } | null {
  const [, component, version] = ARTIFACT_ADDRESS.exec(text) ?? [];
  return component === undefined || version === undefined ? null : { component, version };
}
