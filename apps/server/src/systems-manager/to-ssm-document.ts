import { createHash } from 'node:crypto';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import {
  sinkSharedInputs,
  type DocumentParameter,
  type DocumentStep,
  type SsmDocument,
} from '@deviceportal/contract/ssm-document';
import type { RunCommandObstacle } from '@deviceportal/contract/run-command-obstacles';
import { hasStoreReference } from '@deviceportal/contract/store-references';
import { agentOnlyInputs } from '../documents/step-inputs.ts';

/** What of a run decides whether Systems Manager can execute it. */
export interface SsmRun {
  readonly content: SsmDocument;
  readonly phases: DocumentPhases;
  readonly secretParameters: readonly string[];
  readonly isUndo: boolean;
}

/** Most bytes of a document (AWS Systems Manager quotas). */
const MAX_DOCUMENT_BYTES = 65_536;
const SCRIPTS: readonly string[] = ['aws:runShellScript', 'aws:runPowerShellScript'];
/** Set by our agent. A script that has a default for it (`${DEVICEPORTAL_X:-…}`) runs without, too. */
const OF_THE_AGENT =
  /\bDEVICEPORTAL_(?:AGENT_PID|AGENT_VERSION|ARTEFACTS|ARTIFACTS|CONFIG|DEVICE_ID|INVOCATION_ID|REPORT|STATE|UNDO)\b(?!:-)/;

/** Why a run cannot be executed by Systems Manager; empty if it can. */
export function obstaclesOf(run: SsmRun): RunCommandObstacle[] {
  const { content, phases, secretParameters, isUndo } = run;
  const steps = stepsOf(run);
  const text = JSON.stringify(steps.map(({ inputs, precondition }) => [inputs, precondition]));
  const found: [RunCommandObstacle, boolean][] = [
    ['undo', isUndo],
    ['secret-parameters', secretParameters.length > 0],
    ['action', steps.some(({ action }) => !SCRIPTS.includes(action))],
    ['agent-environment', OF_THE_AGENT.test(text)],
    ['store-values', hasStoreReference(text)],
    ['phases', !isUndo && !hasPlainPhases(content, phases)],
    ['inputs', steps.some(hasInputsOfTheAgent)],
    ['parameter-type', Object.values(content.parameters ?? {}).some(isListInEnvironment)],
    ['size', Buffer.byteLength(toSsmContent(run)) > MAX_DOCUMENT_BYTES],
  ];
  return found.flatMap(([obstacle, applies]) => (applies ? [obstacle] : []));
}

/** Whether it needs an agent of Systems Manager that passes parameters as environment variables. */
export const needsEnvironment = ({ parameters = {} }: Pick<SsmDocument, 'parameters'>): boolean =>
  Object.values(parameters).some(({ interpolationType }) => interpolationType === 'ENV_VAR');

/** The steps that Systems Manager executes, in order, with their positions in the run. */
export const stepsOf = ({
  content,
  phases,
}: Pick<SsmRun, 'content' | 'phases'>): DocumentStep[] => [
  ...(phases.preCheck ?? []).map(exitOnFailure),
  ...(phases.verify === undefined ? content.mainSteps : content.mainSteps.map(exitOnFailure)),
  ...(phases.verify ?? []),
];

/** The content for CreateDocument, JSON: one text for one document, whatever the order of keys. */
export function toSsmContent(run: Pick<SsmRun, 'content' | 'phases'>): string {
  const { parameters = {}, description } = run.content;
  const document = {
    schemaVersion: '2.2' as const,
    ...(description !== undefined && { description }),
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [name, asText(parameter)]),
    ),
    mainSteps: stepsOf(run),
  };
  return JSON.stringify(sinkSharedInputs(document));
}

/** Values for SendCommand, which takes lists of texts. */
export function toSsmParameters(
  declared: SsmDocument['parameters'],
  values: Readonly<Record<string, unknown>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => declared?.[name] !== undefined)
      .map(([name, value]) => [name, textsOf(declared?.[name]?.type, value)]),
  );
}

/** Most characters of a name (AWS Systems Manager API Reference, CreateDocument). */
const MAX_NAME = 128;
const OWN = 'DevicePortal-';

/** The name of a document in Systems Manager. All begin with `DevicePortal`, which policies of IAM use. */
export function ssmNameOf(documentName: string): string {
  const name = documentName.startsWith(OWN) ? documentName : `DevicePortal_${documentName}`;
  if (name.length <= MAX_NAME) return name;
  const digest = createHash('sha256').update(documentName).digest('hex').slice(0, 16);
  return `${name.slice(0, MAX_NAME - digest.length - 1)}_${digest}`;
}

const exitOnFailure = (step: DocumentStep): DocumentStep => ({ ...step, onFailure: 'exit' });

/**
 * Systems Manager has one list of steps. A failed pre-check must prevent the document, and a failed document its
 * verification, so that a failed step must end everything: only where no step decides about the next ones itself.
 */
function hasPlainPhases({ mainSteps }: SsmDocument, phases: DocumentPhases): boolean {
  const isPlain = (step: DocumentStep): boolean =>
    step.onFailure === undefined && step.onSuccess === undefined && step.finallyStep !== true;
  const { preCheck = [], verify = [] } = phases;
  if (preCheck.length + verify.length === 0) return true;
  const isSingle = verify.length === 0 || mainSteps.length === 1;
  const ordered = verify.length === 0 ? preCheck : [...preCheck, ...mainSteps, ...verify];
  return isSingle && ordered.every(isPlain);
}

const hasInputsOfTheAgent = ({ action, inputs, maxAttempts = 1 }: DocumentStep): boolean =>
  maxAttempts > 1 || agentOnlyInputs[action].some((input) => Object.hasOwn(inputs, input));

/** Only texts can be passed as environment variables. */
const isListInEnvironment = ({ type, interpolationType }: DocumentParameter): boolean =>
  interpolationType === 'ENV_VAR' && ['StringList', 'StringMap', 'MapList'].includes(type);

const patterns = { Integer: '^-?[0-9]+$', Boolean: '^(true|false)$' } as const;

/** Numbers and truth values are texts in Systems Manager. */
function asText(parameter: DocumentParameter): DocumentParameter {
  const { type, default: fallback, allowedValues } = parameter;
  if (type !== 'Integer' && type !== 'Boolean') return parameter;
  return {
    ...parameter,
    type: 'String',
    ...(fallback !== undefined && { default: String(fallback) }),
    ...(allowedValues !== undefined
      ? { allowedValues: allowedValues.map(String) }
      : { allowedPattern: parameter.allowedPattern ?? patterns[type] }),
  };
}

function textsOf(type: DocumentParameter['type'] | undefined, value: unknown): string[] {
  if (type === 'StringList' && Array.isArray(value)) return value.map(String);
  if (type === 'MapList' && Array.isArray(value)) return value.map((item) => JSON.stringify(item));
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)];
}
