import {
  brokenConstraints,
  parameterValueOf,
  type PatternMatcher,
} from '@deviceportal/contract/command-parameters';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import { fieldIssue } from '@deviceportal/contract/field-issue';
import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import { hasStoreReference } from '@deviceportal/contract/store-references';
import type { DocumentText } from './document-text.ts';
import { eachText, MAX_PROBLEMS, stored } from './validate-steps.ts';

/** Problems of a declared parameter. Its default must be valid for it. */
export function parameterProblems(
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
    return [text.problemAt([...base, 'allowedPattern'], fieldIssue([], 'expression'))];
  }
  const problems: DocumentProblem[] = [];
  for (const [low, high] of [
    ['minChars', 'maxChars'],
    ['minItems', 'maxItems'],
  ] as const) {
    const [min, max] = [parameter[low], parameter[high]];
    if (min !== undefined && max !== undefined && min > max) {
      problems.push(text.problemAt([...base, low], fieldIssue([], 'above', { key: high })));
    }
  }
  if (parameter.default === undefined) return problems;
  const at = [...base, 'default'];
  eachText(parameter.default, at, (said, path) => problems.push(...stored(text, said, path)));
  if (hasStoreReference(parameter.default)) {
    const { type } = parameter;
    if (type === 'String' || type === 'StringList' || type === 'Integer') return problems;
    return [...problems, text.problemAt(at, fieldIssue([], 'not-from-store', { type }))];
  }
  const value = parameterValueOf(parameter.type, parameter.default);
  if (value === undefined) {
    const issue = fieldIssue([], 'type', { type: parameter.type });
    return [...problems, text.problemAt(at, issue)];
  }
  const broken = brokenConstraints(parameter, value, matcher).slice(0, MAX_PROBLEMS);
  return [...problems, ...broken.map((issue) => text.problemAt([...at, ...issue.path], issue))];
}

function isPattern(pattern: string): boolean {
  try {
    return pattern.length <= 1_024 && new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
