/** `aws:runDocument`: another document, from a file of this command (JSON or YAML). */

import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { ssmDocumentSchema, type SsmDocument } from '@deviceportal/contract/ssm-document';
import { reasonOf } from '../../logger.ts';
import { bindParameters } from '../bind-parameters.ts';
import { runDocument, type StepResult } from '../run-document.ts';
import { failure, interrupted, success, type StepContext } from '../step-context.ts';
import { parameterEnvironment } from '../substitute-parameters.ts';

const MAX_DEPTH = 3;
const STEPS_PER_DOCUMENT = 100;

const inputsSchema = z.looseObject({
  documentType: z.literal('LocalPath', 'only documents of the type LocalPath can be run'),
  documentPath: z.string().min(1).max(1_024),
  documentParameters: z
    .preprocess(
      (value) => (typeof value === 'string' && value !== '' ? parseYaml(value) : value || {}),
      z.record(z.string(), z.unknown()),
    )
    .optional(),
});

export async function runDocumentStep(context: StepContext, inputs: unknown): Promise<StepResult> {
  const parsed = inputsSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  if (context.stepIndex >= STEPS_PER_DOCUMENT ** MAX_DEPTH) return failure('nested too deep');
  let document: SsmDocument;
  try {
    const { invocationId } = context.command;
    const text = await context.machine.readText(invocationId, parsed.data.documentPath);
    document = ssmDocumentSchema.parse(parseYaml(text));
  } catch (error) {
    return failure(`${parsed.data.documentPath}: ${reasonOf(error)}`);
  }
  const { values, issues } = bindParameters(document, parsed.data.documentParameters ?? {});
  const [issue] = issues;
  if (issue) return failure(`parameter ${issue.path.join('.')} ${issue.message}`);
  return runInner({ ...context, values }, document);
}

async function runInner(context: StepContext, document: SsmDocument): Promise<StepResult> {
  const environment = { ...context.environment, ...parameterEnvironment(context.values) };
  const result = await runDocument({
    document,
    values: context.values,
    platformType: context.machine.platformType,
    ended: {},
    signal: context.signal,
    now: context.now,
    runStep: (step, index, attempt) =>
      context.runStep({
        context: {
          ...context,
          environment,
          attempt,
          stepIndex: (context.stepIndex + 1) * STEPS_PER_DOCUMENT + index,
          startedAtMs: context.now(),
        },
        document,
        step,
      }),
    report: () => {},
  });
  if (result.state === 'Success') return success;
  if (context.signal.aborted) return interrupted(context.signal);
  const { state, responseCode, statusDetails } = result;
  return { state, exitCode: responseCode, reason: statusDetails };
}
