/**
 * `aws:runDocument`: runs another document that was sent with this command, or a file of the
 * command (JSON or YAML).
 */

import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { ssmDocumentSchema, type SsmDocument } from '@deviceportal/contract/ssm-document';
import { phaseAt, type PhaseCounts } from '@deviceportal/contract/document-phases';
import { withStoreValues, type StoreValues } from '@deviceportal/contract/store-references';
import { reasonOf } from '../../logger.ts';
import { bindParameters } from '../bind-parameters.ts';
import { runDocument, type StepResult } from '../run-document.ts';
import { failure, interrupted, success, type StepContext } from '../step-context.ts';
import { parameterEnvironment } from '../substitute-parameters.ts';

const STEPS_PER_DOCUMENT = 100;
/**
 * Maximum nesting of three documents below the outermost one, which limits the numbers of
 * `stepIndex` below.
 */
const DEEPEST = ((STEPS_PER_DOCUMENT + 1) * STEPS_PER_DOCUMENT + 1) * STEPS_PER_DOCUMENT;

const inputsSchema = z.looseObject({
  documentType: z.enum(['LocalPath', 'SSMDocument']),
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
  if (context.stepIndex >= DEEPEST) return failure('nested too deeply');
  let document: SsmDocument;
  let phases: PhaseCounts = { preCheck: 0, verify: 0 };
  let { documentName } = context.command;
  // A file was not reviewed, so references to the parameter store are not resolved.
  let storeValues: StoreValues = {};
  try {
    if (parsed.data.documentType === 'SSMDocument') {
      const sent = context.command.documents[parsed.data.documentPath];
      if (!sent) return failure(`${parsed.data.documentPath} did not come with the command`);
      document = ssmDocumentSchema.parse(sent.content);
      phases = sent.phases;
      documentName = sent.name;
      ({ storeValues } = context.command);
    } else document = await readLocal(context, parsed.data.documentPath);
  } catch (error) {
    return failure(`${parsed.data.documentPath}: ${reasonOf(error)}`);
  }
  const parameters = withStoreValues(document.parameters, storeValues);
  const { values, issues } = bindParameters(
    { parameters: parameters as SsmDocument['parameters'] },
    parsed.data.documentParameters ?? {},
  );
  const [issue] = issues;
  if (issue) return failure(`parameter ${issue.path.join('.')} ${issue.message}`);
  const command = { ...context.command, documentName, storeValues };
  return runInner({ ...context, command, values }, document, phases);
}

async function readLocal(context: StepContext, path: string): Promise<SsmDocument> {
  const text = await context.machine.readText(context.command.invocationId, path);
  return ssmDocumentSchema.parse(parseYaml(text));
}

async function runInner(
  context: StepContext,
  document: SsmDocument,
  phases: PhaseCounts,
): Promise<StepResult> {
  const environment = { ...context.environment, ...parameterEnvironment(context.values) };
  const result = await runDocument({
    document,
    phases,
    values: context.values,
    platformType: context.machine.platformType,
    takenUp: null,
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
          phase: phaseAt(index, document.mainSteps.length, phases),
          startedAtMs: context.now(),
          isRepeated: false,
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
