import type { z } from 'zod';
import {
  brokenConstraints,
  parameterValueOf,
  type PatternMatcher,
} from '@deviceportal/contract/command-parameters';
import type { DocumentProblem, DocumentValidation } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import {
  ssmDocumentSchema,
  type DocumentParameter,
  type SsmDocument,
} from '@deviceportal/contract/ssm-document';
import { createPatternMatcher } from '../platform/match-pattern.ts';
import { parseDocumentText, type DocumentText, type ProblemPath } from './document-text.ts';
import { stepInputs } from './step-inputs.ts';

/** As large as SSM lets a document be (its quota is 64 KB), and still one MQTT message with its parameters. */
export const DOCUMENT_LIMIT_BYTES = 64 * 1024;
const MAX_PROBLEMS = 100;
/** Far more than any document needs, and far less than what exhausts the stack of who reads it. */
const MAX_DEPTH = 32;
const REFERENCE = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*\}\}/g;

/** A document that may be stored: how it was written and what it says. */
export interface ValidDocument {
  readonly format: 'JSON' | 'YAML';
  readonly document: SsmDocument;
}

/** What is wrong with a text, each thing with its line and column; parameters and steps where it can be read. */
export function validateDocument(content: string): DocumentValidation {
  const { format, document, problems } = inspect(content);
  return {
    valid: problems.length === 0,
    format,
    problems,
    parameters: document?.parameters ?? {},
    steps: document?.mainSteps ?? [],
  };
}

/**
 * @throws PortalError 2004 with a path `['content', line, column]` for every problem
 */
export function requireValidDocument(content: string): ValidDocument {
  const { format, document, problems } = inspect(content);
  if (document !== null && problems.length === 0) return { format, document };
  throw new PortalError('invalidParameters', {
    message: `The document is not valid: line ${problems[0]?.line ?? 1}, ${problems[0]?.message ?? 'it is empty'}`,
    issues: problems.map((problem) => ({
      path: ['content', problem.line, problem.column],
      message: problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`,
    })),
  });
}

interface Inspection {
  readonly format: 'JSON' | 'YAML';
  readonly document: SsmDocument | null;
  readonly problems: readonly DocumentProblem[];
}

function inspect(content: string): Inspection {
  if (Buffer.byteLength(content) > DOCUMENT_LIMIT_BYTES) {
    const message = `is larger than ${DOCUMENT_LIMIT_BYTES / 1024} KiB`;
    return {
      format: 'YAML',
      document: null,
      problems: [{ line: 1, column: 1, path: '', message }],
    };
  }
  const text = parseDocumentText(content);
  if (text.problems.length > 0) {
    return { format: text.format, document: null, problems: text.problems.slice(0, MAX_PROBLEMS) };
  }
  if (isDeeperThan(MAX_DEPTH, text.value)) {
    const problem = text.problemAt([], `is nested deeper than ${MAX_DEPTH} levels`);
    return { format: text.format, document: null, problems: [problem] };
  }
  const parsed = ssmDocumentSchema.safeParse(text.value ?? {});
  const problems = parsed.success
    ? meaningProblems(text, parsed.data)
    : parsed.error.issues.flatMap((issue) => schemaProblems(text, [], issue));
  return {
    format: text.format,
    document: parsed.success ? parsed.data : null,
    problems: problems.toSorted(byPlace).slice(0, MAX_PROBLEMS),
  };
}

/** Level by level: a value that is too deep cannot be walked by a function that calls itself. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

function byPlace(one: DocumentProblem, other: DocumentProblem): number {
  return one.line - other.line || one.column - other.column;
}

function schemaProblems(
  text: DocumentText,
  base: ProblemPath,
  issue: z.core.$ZodIssue,
): DocumentProblem[] {
  const path = [...base, ...issue.path.filter((part) => typeof part !== 'symbol')];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => text.problemAtKey([...path, key], `"${key}" is not known here`));
  }
  if (issue.code === 'invalid_key') return [text.problemAtKey(path, 'is not a valid name')];
  return [text.problemAt(path, issue.message)];
}

function meaningProblems(text: DocumentText, document: SsmDocument): DocumentProblem[] {
  const matcher = createPatternMatcher();
  return [
    ...Object.entries(document.parameters ?? {}).flatMap(([name, parameter]) =>
      parameterProblems(text, { name, parameter, matcher }),
    ),
    ...stepProblems(text, document),
    ...referenceProblems(text, document),
    ...sizeProblems(text, document),
  ];
}

/** What is sent is JSON, which may be larger than the YAML it was written as. */
function sizeProblems(text: DocumentText, document: SsmDocument): DocumentProblem[] {
  if (Buffer.byteLength(JSON.stringify(document)) <= DOCUMENT_LIMIT_BYTES) return [];
  return [text.problemAt([], `is larger than ${DOCUMENT_LIMIT_BYTES / 1024} KiB as JSON`)];
}

function parameterProblems(
  text: DocumentText,
  declared: {
    readonly name: string;
    readonly parameter: DocumentParameter;
    readonly matcher: PatternMatcher;
  },
): DocumentProblem[] {
  const { name, parameter, matcher } = declared;
  const base = ['parameters', name];
  const pattern = parameter.allowedPattern;
  if (pattern !== undefined && !isPattern(pattern)) {
    return [text.problemAt([...base, 'allowedPattern'], 'is not a valid regular expression')];
  }
  const problems: DocumentProblem[] = [];
  for (const [low, high] of [
    ['minChars', 'maxChars'],
    ['minItems', 'maxItems'],
  ] as const) {
    const [min, max] = [parameter[low], parameter[high]];
    if (min !== undefined && max !== undefined && min > max) {
      problems.push(text.problemAt([...base, low], `is more than ${high}`));
    }
  }
  if (parameter.default === undefined) return problems;
  const value = parameterValueOf(parameter.type, parameter.default);
  const at = [...base, 'default'];
  if (value === undefined) {
    return [...problems, text.problemAt(at, `is not a valid ${parameter.type}`)];
  }
  const broken = brokenConstraints(parameter, value, matcher);
  return [
    ...problems,
    ...broken.map((issue) => text.problemAt([...at, ...issue.path], issue.message)),
  ];
}

function isPattern(pattern: string): boolean {
  try {
    return pattern.length <= 1_024 && new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function stepProblems(text: DocumentText, document: SsmDocument): DocumentProblem[] {
  const names = new Set<string>();
  return document.mainSteps.flatMap((step, index) => {
    const problems: DocumentProblem[] = [];
    if (names.has(step.name)) {
      const message = `the name "${step.name}" is taken by an earlier step`;
      problems.push(text.problemAt(['mainSteps', index, 'name'], message));
    }
    names.add(step.name);
    const inputs = stepInputs[step.action].safeParse(step.inputs);
    const issues = inputs.success ? [] : inputs.error.issues;
    const base = ['mainSteps', index, 'inputs'];
    return [...problems, ...issues.flatMap((issue) => schemaProblems(text, base, issue))];
  });
}

function referenceProblems(text: DocumentText, document: SsmDocument): DocumentProblem[] {
  const declared = new Set([...Object.keys(document.parameters ?? {}), 'platformType']);
  const problems: DocumentProblem[] = [];
  const walk = (value: unknown, path: ProblemPath): void => {
    if (typeof value === 'string') {
      for (const [, name = ''] of value.matchAll(REFERENCE)) {
        if (!declared.has(name)) {
          problems.push(text.problemAt(path, `the parameter "${name}" is not declared`));
        }
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    }
  };
  for (const [index, step] of document.mainSteps.entries()) {
    walk(step.inputs, ['mainSteps', index, 'inputs']);
    walk(step.precondition, ['mainSteps', index, 'precondition']);
  }
  return problems;
}
