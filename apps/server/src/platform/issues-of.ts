import { MOST_ISSUES, type FieldIssue } from '@deviceportal/contract/errors';
import { fieldIssue } from '@deviceportal/contract/field-issue';
import type { z, ZodError } from 'zod';

/** Converts schema errors to the issues of a 2004. */
export const issuesOf = (error: ZodError): FieldIssue[] =>
  error.issues.slice(0, MOST_ISSUES).map((issue) => ({
    ...kindOf(issue),
    path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
    message: issue.message,
  }));

/** The kind of a zod issue; empty if only its message describes it. */
export function kindOf(issue: z.core.$ZodIssue): Pick<FieldIssue, 'kind' | 'values'> {
  const { kind, values } = translated(issue) ?? {};
  return kind === undefined || values === undefined ? {} : { kind, values };
}

function translated(issue: z.core.$ZodIssue): FieldIssue | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return 'input' in issue && issue.input === undefined
        ? fieldIssue([], 'required')
        : fieldIssue([], 'type', { type: issue.expected });
    case 'invalid_value': {
      const [only] = issue.values;
      return issue.values.length === 1
        ? fieldIssue([], 'exactly', { value: String(only) })
        : fieldIssue([], 'one-of', { values: issue.values.map(String).join(', ') });
    }
    case 'too_small':
      return sized(issue.origin, { bound: 'least', size: Number(issue.minimum) });
    case 'too_big':
      return sized(issue.origin, { bound: 'most', size: Number(issue.maximum) });
    default:
      return undefined;
  }
}

const units = { string: 'characters', array: 'items' } as const;

function sized(
  origin: string,
  bound: { readonly bound: 'least' | 'most'; readonly size: number },
): FieldIssue | undefined {
  if (origin !== 'string' && origin !== 'array') return undefined;
  return fieldIssue([], 'size', { ...bound, unit: units[origin] });
}
