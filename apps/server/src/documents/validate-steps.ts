import type { z } from 'zod';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import { fieldIssue } from '@deviceportal/contract/field-issue';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { hasStoreReference } from '@deviceportal/contract/store-references';
import { kindOf } from '../platform/issues-of.ts';
import type { DocumentText, ProblemPath } from './document-text.ts';
import { stepInputs } from './step-inputs.ts';

/** Further problems are not reported, because locating each one requires a walk through the text. */
export const MAX_PROBLEMS = 100;
/** Matches any reference to the parameter store. Bounded, and longer than any valid name. */
const STORE_REFERENCE = /\{\{\s*ssm(?:-secure)?:[^}]{0,2000}\}\}/g;
const REFERENCE = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*\}\}/g;

/** A list of steps with its position. */
export interface StepList {
  readonly text: DocumentText;
  /** `mainSteps`, `preCheck`, `verify`, or `undo`. */
  readonly section: string;
  readonly steps: readonly DocumentStep[];
  /** Parameters of the document and `platformType`. */
  readonly declared: ReadonlySet<string>;
  /** Step names in use. Names of these steps are added. */
  readonly names: Set<string>;
}

/** Problems of steps that match the schema. */
export function stepProblems(list: StepList): DocumentProblem[] {
  return list.steps.flatMap((step, index) => [
    ...orderProblems(list, step, index),
    ...inputProblems(list, step, index),
    ...referenceProblems(list, step, index),
  ]);
}

function orderProblems(
  { text, section, steps, names }: StepList,
  step: DocumentStep,
  index: number,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (names.has(step.name)) {
    const issue = fieldIssue([], 'step-name-taken', { name: step.name });
    problems.push(text.problemAt([section, index, 'name'], issue));
  }
  names.add(step.name);
  const before = steps[index - 1];
  if (before?.finallyStep === true && step.finallyStep !== true) {
    const issue = fieldIssue([], 'after-final-step', { name: before.name });
    problems.push(text.problemAt([section, index, 'name'], issue));
  }
  return problems;
}

function inputProblems(
  { text, section }: StepList,
  step: DocumentStep,
  index: number,
): DocumentProblem[] {
  const inputs = safeParse(stepInputs[step.action], step.inputs, { reportInput: true });
  const issues = inputs.success ? [] : inputs.error.issues;
  return issues.flatMap((issue) => schemaProblems(text, [section, index, 'inputs'], issue));
}

function referenceProblems(
  { text, section, declared }: StepList,
  step: DocumentStep,
  index: number,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  eachText(step.inputs, [section, index, 'inputs'], (value, path) => {
    problems.push(...undeclared(text, { value, path, declared }), ...stored(text, value, path));
  });
  eachText(step.precondition, [section, index, 'precondition'], (value, path) => {
    problems.push(...undeclared(text, { value, path, declared }));
  });
  return problems;
}

function undeclared(
  text: DocumentText,
  at: {
    readonly value: string;
    readonly path: ProblemPath;
    readonly declared: ReadonlySet<string>;
  },
): DocumentProblem[] {
  return [...at.value.matchAll(REFERENCE)].flatMap(([, name = '']) =>
    at.declared.has(name)
      ? []
      : [text.problemAt(at.path, fieldIssue([], 'reference-undeclared', { name }))],
  );
}

/** Reported when the document is validated: otherwise a misspelled reference would be used as the value. */
export function stored(text: DocumentText, value: string, path: ProblemPath): DocumentProblem[] {
  return [...value.matchAll(STORE_REFERENCE)].flatMap(([reference]) =>
    hasStoreReference(reference)
      ? []
      : [text.problemAt(path, fieldIssue([], 'store-reference', { reference }))],
  );
}

/** All texts in a value with their paths. */
export function eachText(
  value: unknown,
  path: ProblemPath,
  look: (text: string, path: ProblemPath) => void,
): void {
  if (typeof value === 'string') look(value, path);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) eachText(item, [...path, index], look);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) eachText(item, [...path, key], look);
  }
}

export function schemaProblems(
  text: DocumentText,
  base: ProblemPath,
  issue: z.core.$ZodIssue,
): DocumentProblem[] {
  const path = asWritten(text, [...base, ...issue.path.filter((part) => typeof part !== 'symbol')]);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => text.problemAtKey([...path, key], fieldIssue([], 'unknown-key', { key })));
  }
  if (issue.code === 'invalid_key') return [text.problemAtKey(path, fieldIssue([], 'name'))];
  if (issue.code === 'invalid_format' && issue.pattern !== undefined) {
    return [text.problemAt(path, fieldIssue([], 'pattern', { pattern: issue.pattern }))];
  }
  return [text.problemAt(path, { message: issue.message, ...kindOf(issue) })];
}

/** Common inputs are read from the step but written in its `inputs`. */
function asWritten(text: DocumentText, path: ProblemPath): ProblemPath {
  const [section, index, name, ...rest] = path;
  if (section === undefined || typeof index !== 'number' || name === undefined) return path;
  const among = [section, index, 'inputs', name, ...rest];
  return text.has(path) || !text.has(among) ? path : among;
}
