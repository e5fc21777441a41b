import type { z } from 'zod';
import {
  documentPhasesSchema,
  MAX_STEPS,
  type DocumentPhases,
} from '@deviceportal/contract/document-phases';
import type { DocumentProblem, DocumentValidation } from '@deviceportal/contract/documents';
import { fieldIssue } from '@deviceportal/contract/field-issue';
import { ssmDocumentSchema, type SsmDocument } from '@deviceportal/contract/ssm-document';
import { refuse } from '@deviceportal/contract/refuse';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { createPatternMatcher } from '../platform/text/match-pattern.ts';
import { parseDocumentText, type DocumentText, type ProblemIssue } from './document-text.ts';
import { parameterProblems } from './validate-parameter.ts';
import { MAX_PROBLEMS, schemaProblems, stepProblems } from './validate-steps.ts';

/** The size limit of SSM documents (64 KB). Together with its parameters, a document fits into one MQTT message. */
export const DOCUMENT_LIMIT_BYTES = 64 * 1024;
/** Limits recursion; valid documents are far less deep. */
const MAX_DEPTH = 32;
/** Limits the time for parsing, which blocks the event loop. */
const MAX_PARTS = 10_000;
const PART = /[\n,:[{]/g;

/** The two texts of a version. */
export interface DocumentTexts {
  readonly content: string;
  /** Pre-check, verify, and undo; empty if there are none. */
  readonly phasesText: string;
}

/** A document that can be stored, as text and parsed. */
export interface ValidDocument {
  readonly format: 'JSON' | 'YAML';
  readonly document: SsmDocument;
  readonly phases: DocumentPhases;
}

/** Problems of a text with line and column; parameters and steps if it can be parsed. */
export function validateDocument(content: string, phasesText = ''): DocumentValidation {
  const { format, document, phases, problems } = inspect({ content, phasesText });
  return {
    valid: problems.length === 0,
    format,
    problems,
    parameters: document?.parameters ?? {},
    steps: document?.mainSteps ?? [],
    phases: phases ?? {},
  };
}

/** @throws PortalError 2004 with a path `['content', line, column]` or `['phasesText', …]` for every problem */
export function requireValidDocument(content: string, phasesText = ''): ValidDocument {
  const { format, document, phases, problems } = inspect({ content, phasesText });
  if (document !== null && phases !== null && problems.length === 0) {
    return { format, document, phases };
  }
  throw refuse('document-invalid', {
    facts: { line: problems[0]?.line ?? 1 },
    issues: problems.map(({ part, line, column, path, message, kind, values }) => ({
      path: [part === 'content' ? 'content' : 'phasesText', line, column],
      message: path === '' ? message : `${path}: ${message}`,
      ...(kind !== undefined && { kind }),
      ...(values !== undefined && { values }),
    })),
  });
}

interface Inspection {
  readonly format: 'JSON' | 'YAML';
  readonly document: SsmDocument | null;
  readonly phases: DocumentPhases | null;
  readonly problems: readonly DocumentProblem[];
}

function inspect({ content, phasesText }: DocumentTexts): Inspection {
  const main = read(content, 'content', ssmDocumentSchema);
  const beside =
    phasesText.trim() === ''
      ? { text: null, value: {}, problems: [] }
      : read(phasesText, 'phases', documentPhasesSchema);
  const problems = [...main.problems, ...beside.problems];
  if (main.text !== null && main.value !== null) {
    const phases = beside.text === null || beside.value === null ? null : beside;
    problems.push(...meaningProblems({ text: main.text, document: main.value }, phases));
  }
  return {
    format: main.format,
    document: main.value,
    phases: beside.value,
    problems: problems.toSorted(byPlace).slice(0, MAX_PROBLEMS),
  };
}

interface Read<Value> {
  readonly format: 'JSON' | 'YAML';
  /** Null if the text could not be parsed. */
  readonly text: DocumentText | null;
  /** Null if it does not match the schema. */
  readonly value: Value | null;
  readonly problems: readonly DocumentProblem[];
}

function read<Value>(
  content: string,
  part: DocumentProblem['part'],
  schema: z.ZodType<Value>,
): Read<Value> {
  const obstacle = parseIssue(content);
  if (obstacle !== null) {
    const problem = { part, line: 1, column: 1, ...obstacle, path: '' };
    return { format: 'YAML', text: null, value: null, problems: [problem] };
  }
  const text = parseDocumentText(content, part);
  const { format } = text;
  const unread = { format, text: null, value: null };
  if (text.problems.length > 0) return { ...unread, problems: text.problems };
  if (isDeeperThan(MAX_DEPTH, text.value)) {
    const problem = text.problemAt([], fieldIssue([], 'too-deep', { levels: MAX_DEPTH }));
    return { ...unread, problems: [problem] };
  }
  const parsed = safeParse(schema, text.value ?? {}, { reportInput: true });
  if (parsed.success) return { format, text, value: parsed.data, problems: [] };
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => schemaProblems(text, [], issue));
  return { format, text, value: null, problems };
}

/** Why a text is not parsed. */
function parseIssue(content: string): ProblemIssue | null {
  if (Buffer.byteLength(content) > DOCUMENT_LIMIT_BYTES)
    return fieldIssue([], 'too-large', { limitKib: DOCUMENT_LIMIT_BYTES / 1024 });
  const parts = content.match(PART)?.length ?? 0;
  return parts > MAX_PARTS ? fieldIssue([], 'too-many-parts', { limit: MAX_PARTS }) : null;
}

/** Iterates level by level, because recursion would overflow the stack. */
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
  return one.part.localeCompare(other.part) || one.line - other.line || one.column - other.column;
}

interface ReadPhases {
  readonly text: DocumentText | null;
  readonly value: DocumentPhases | null;
}

function meaningProblems(
  { text, document }: { readonly text: DocumentText; readonly document: SsmDocument },
  beside: ReadPhases | null,
): DocumentProblem[] {
  const matcher = createPatternMatcher();
  const parameters = Object.entries(document.parameters ?? {});
  const declared = new Set([...parameters.map(([name]) => name), 'platformType']);
  const names = new Set<string>();
  const { mainSteps: steps } = document;
  return [
    ...parameters.flatMap(([name, parameter]) =>
      parameterProblems(text, { name, parameter, matcher }),
    ),
    ...stepProblems({ text, section: 'mainSteps', steps, declared, names }),
    ...Object.entries(beside?.value ?? {}).flatMap(([section, own = []]) =>
      beside?.text ? stepProblems({ text: beside.text, section, steps: own, declared, names }) : [],
    ),
    ...sizeProblems(text, document, beside?.value ?? {}),
  ];
}

/** Devices get JSON, which can be larger than the YAML that was entered. */
function sizeProblems(
  text: DocumentText,
  document: SsmDocument,
  phases: DocumentPhases,
): DocumentProblem[] {
  const { preCheck = [], verify = [] } = phases;
  const problems: DocumentProblem[] = [];
  if (Buffer.byteLength(JSON.stringify([document, phases])) > DOCUMENT_LIMIT_BYTES) {
    const limitKib = DOCUMENT_LIMIT_BYTES / 1024;
    problems.push(text.problemAt([], fieldIssue([], 'too-large-as-json', { limitKib })));
  }
  if (preCheck.length + document.mainSteps.length + verify.length > MAX_STEPS) {
    problems.push(text.problemAt([], fieldIssue([], 'too-many-steps', { limit: MAX_STEPS })));
  }
  return problems;
}
