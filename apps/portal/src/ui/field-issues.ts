import type { FieldIssue } from '@deviceportal/contract/errors';
import { portalErrorOf } from '../api/portal-error-of.ts';
import type { Translate } from '../i18n/use-t.ts';
import { issueText } from './refusals/issue-text.ts';
import { refusalText } from './refusals/refusal-text.ts';

/** The problem of each field of a form, from error 2004; `''` holds what belongs to no field. */
export function fieldIssues(error: unknown, t: Translate): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (error === null || error === undefined) return texts;
  const portalError = portalErrorOf(error);
  const textOf = (issue: FieldIssue): string => refusalText(portalError, t) ?? issueText(issue, t);
  for (const issue of portalError.issues) {
    const field = String(issue.path[0] ?? '');
    if (!texts.has(field)) texts.set(field, textOf(issue));
  }
  return texts;
}

/** Whether an error stands at its fields already and needs no box of its own. */
export function isOnlyFieldIssues(error: unknown, fields: readonly string[]): boolean {
  const { name, issues } = portalErrorOf(error);
  return (
    name === 'invalidParameters' &&
    issues.length > 0 &&
    issues.every(({ path }) => fields.includes(String(path[0] ?? '')))
  );
}
