/** Runs one step of a document: substitutes its inputs and runs its action. */

import { z } from 'zod';
import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import { reasonOf } from '../logger.ts';
import type { StepResult } from './run-document.ts';
import { stepTimeLimit } from './step-time-limit.ts';
import { failure, interrupted, type StepContext, type StepToRun } from './step-context.ts';
import { configurePackageStep, downloadContentStep, updateAgentStep } from './steps/file-steps.ts';
import { runDocumentStep } from './steps/run-document-step.ts';
import { runScriptStep } from './steps/run-script-step.ts';
import { softwareInventoryStep } from './steps/software-inventory-step.ts';
import { substituteParameters } from './substitute-parameters.ts';

export async function runStep({ context, document, step }: StepToRun): Promise<StepResult> {
  const isScript =
    step.action === 'aws:runShellScript' || step.action === 'aws:runPowerShellScript';
  const values = isScript ? withoutEnvironmentOnly(document, context.values) : context.values;
  const { storeValues } = context.command;
  const inputs = substituteParameters(step.inputs, { ...values, ...storeValues }) as Record<
    string,
    unknown
  >;
  try {
    return isScript ? await dispatch(context, step, inputs) : await inTime(context, step, inputs);
  } catch (error) {
    return failure(reasonOf(error));
  }
}

const limitSchema = z.looseObject({
  timeoutSeconds: z.coerce.number().int().min(1).max(172_800).optional(),
});

/**
 * Scripts enforce their own timeout. For all other actions, the timeout of the step is enforced
 * here, if it has one.
 */
async function inTime(
  context: StepContext,
  step: DocumentStep,
  { timeoutSeconds, ...inputs }: Record<string, unknown>,
): Promise<StepResult> {
  const limit = limitSchema.safeParse({ timeoutSeconds });
  if (!limit.success) return failure(`inputs: ${z.prettifyError(limit.error)}`);
  if (limit.data.timeoutSeconds === undefined) return dispatch(context, step, inputs);
  using time = stepTimeLimit(context, limit.data.timeoutSeconds * 1_000);
  const result = await dispatch({ ...context, signal: time.signal }, step, inputs);
  return time.signal.aborted && result.state !== 'Success' ? interrupted(time.signal) : result;
}

function dispatch(context: StepContext, step: DocumentStep, inputs: unknown): Promise<StepResult> {
  switch (step.action) {
    case 'aws:runShellScript':
      return runScriptStep(context, inputs, 'sh');
    case 'aws:runPowerShellScript':
      return runScriptStep(context, inputs, 'pwsh');
    case 'aws:downloadContent':
      return downloadContentStep(context, inputs);
    case 'aws:configurePackage':
      return configurePackageStep(context, inputs);
    case 'aws:softwareInventory':
      return softwareInventoryStep(context);
    case 'aws:updateAgent':
      return updateAgentStep(context, inputs);
    case 'aws:runDocument':
      return runDocumentStep(context, inputs);
    default:
      return Promise.resolve(failure(`${String(step.action)} is not supported by this agent`));
  }
}

function withoutEnvironmentOnly(
  document: SsmDocument,
  values: StepContext['values'],
): StepContext['values'] {
  const declared = document.parameters ?? {};
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => declared[name]?.interpolationType !== 'ENV_VAR'),
  );
}
