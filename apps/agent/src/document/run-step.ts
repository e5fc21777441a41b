/** Runs one step of a document: substitutes its inputs and hands them to its action. */

import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import { reasonOf } from '../logger.ts';
import type { StepResult } from './run-document.ts';
import { failure, type StepContext, type StepToRun } from './step-context.ts';
import { configurePackageStep, downloadContentStep, updateAgentStep } from './steps/file-steps.ts';
import { runDocumentStep } from './steps/run-document-step.ts';
import { runScriptStep } from './steps/run-script-step.ts';
import { softwareInventoryStep } from './steps/software-inventory-step.ts';
import { substituteParameters } from './substitute-parameters.ts';

export async function runStep({ context, document, step }: StepToRun): Promise<StepResult> {
  const isScript =
    step.action === 'aws:runShellScript' || step.action === 'aws:runPowerShellScript';
  const values = isScript ? withoutEnvironmentOnly(document, context.values) : context.values;
  const inputs = substituteParameters(step.inputs, values);
  try {
    return await dispatch(context, step, inputs);
  } catch (error) {
    return failure(reasonOf(error));
  }
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
      return Promise.resolve(failure(`${String(step.action)} is unknown to this agent`));
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
