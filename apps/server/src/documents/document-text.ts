import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document as YamlDocument,
  type ErrorCode,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import { fieldIssue, type FieldIssue } from '@deviceportal/contract/field-issue';

/** What is wrong, without its place. */
export type ProblemIssue = Pick<FieldIssue, 'kind' | 'message' | 'values'>;
export type ProblemPath = readonly (string | number)[];

/** The parsed text of a document, with the positions of its values. */
export interface DocumentText {
  readonly format: 'JSON' | 'YAML';
  /** Undefined if the text could not be parsed. */
  readonly value: unknown;
  readonly problems: readonly DocumentProblem[];
  /** Whether there is a value at a path. */
  has(path: ProblemPath): boolean;
  /** A problem at the value of a path, or at the nearest enclosing value in the text. */
  problemAt(path: ProblemPath, issue: ProblemIssue): DocumentProblem;
  /** A problem at the last key of a path. */
  problemAtKey(path: ProblemPath, issue: ProblemIssue): DocumentProblem;
}

/**
 * JSON is parsed by the YAML parser too, because it keeps positions and finds duplicate keys. Text that is valid JSON
 * is always accepted as JSON, even if its white space is not valid in YAML.
 */
export function parseDocumentText(
  content: string,
  part: DocumentProblem['part'] = 'content',
): DocumentText {
  const lines = new LineCounter();
  const parsed = parseDocument(content, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    strict: true,
    // Quadratic in the number of keys: 12,000 took seconds. See `repeatedKeys`.
    uniqueKeys: false,
  });
  const json = tryJson(content);
  const format = json.ok || /^\s*\{/.test(content) ? 'JSON' : 'YAML';
  const at = (offset: number, path: ProblemPath, issue: ProblemIssue): DocumentProblem => {
    const { line, col } = lines.linePos(Math.max(0, Math.min(offset, content.length)));
    const place = { line: Math.max(1, line), column: Math.max(1, col) };
    return { part, ...place, ...issue, path: path.join('.') };
  };
  const problems = [
    ...(json.ok ? [] : [...parsed.errors, ...parsed.warnings]).map((error) =>
      at(error.pos[0], [], syntaxIssue(error.code, error.message)),
    ),
    ...repeatedKeys(parsed).map((offset) =>
      at(offset, [], syntaxIssue('DUPLICATE_KEY', 'Map keys must be unique')),
    ),
  ];
  const value =
    problems.length > 0 && !json.ok
      ? undefined
      : valueOf(parsed, json, (issue) => problems.push(at(0, [], issue)));
  return {
    format: format === 'JSON' && !json.ok && problems.length === 0 ? 'YAML' : format,
    value,
    problems,
    has: (path) => nodeAt(parsed, path) !== null,
    problemAt: (path, issue) => at(offsetOf(parsed, path), path, issue),
    problemAtKey: (path, issue) =>
      at(keyOffsetOf(parsed, path) ?? offsetOf(parsed, path), path, issue),
  };
}

const syntaxIssue = (code: ErrorCode, message: string): ProblemIssue =>
  fieldIssue([], 'syntax', { code, message });

/** Offsets of duplicate keys. */
function repeatedKeys(parsed: YamlDocument): number[] {
  const offsets: number[] = [];
  const look = (map: YAMLMap): void => {
    const seen = new Set<unknown>();
    for (const { key } of map.items) {
      if (!isScalar(key)) continue;
      if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
      seen.add(key.value);
    }
  };
  try {
    visit(parsed, { Map: (_key, map) => look(map) });
  } catch (error) {
    // Nested too deeply for recursion. Reported as a separate problem.
    if (!(error instanceof RangeError)) throw error;
  }
  return offsets;
}

type JsonAttempt = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

function tryJson(content: string): JsonAttempt {
  try {
    return { ok: true, value: JSON.parse(content) };
  } catch {
    return { ok: false };
  }
}

function valueOf(
  parsed: YamlDocument,
  json: JsonAttempt,
  complain: (issue: ProblemIssue) => void,
): unknown {
  if (json.ok) return json.value;
  try {
    // The alias limit prevents a small text from expanding to a huge value.
    return parsed.toJS({ maxAliasCount: 50 });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'cannot be read';
    // An alias without its anchor, or too many aliases, is a ReferenceError.
    const code = error instanceof ReferenceError ? 'BAD_ALIAS' : 'RESOURCE_EXHAUSTION';
    complain(syntaxIssue(code, message));
    return undefined;
  }
}

function nodeAt(parsed: YamlDocument, path: ProblemPath): Node | null {
  if (path.length === 0) return parsed.contents as Node | null;
  const node: unknown = parsed.getIn(path, true);
  return typeof node === 'object' && node !== null && 'range' in node ? (node as Node) : null;
}

function offsetOf(parsed: YamlDocument, path: ProblemPath): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const range = nodeAt(parsed, path.slice(0, length))?.range;
    if (range) return range[0];
  }
  return 0;
}

function keyOffsetOf(parsed: YamlDocument, path: ProblemPath): number | undefined {
  const parent = nodeAt(parsed, path.slice(0, -1));
  if (!isMap(parent)) return undefined;
  const key = String(path.at(-1));
  const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
}
