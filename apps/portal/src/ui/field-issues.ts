import type { FieldIssue } from '@deviceportal/contract/errors';
import { portalErrorOf } from '../api/portal-error-of.ts';
import type { Translate } from '../i18n/use-t.ts';
import { issueText } from './refusals/issue-text.ts';
import { refusalText } from './refusals/refusal-text.ts';

/** Problems of form fields from error 2004. `''` holds those without a field. */
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

/** Whether all problems are shown at fields, so that no alert is needed. */
export function isOnlyFieldIssues(error: unknown, fields: readonly string[]): boolean {
  const { name, issues } = portalErrorOf(error);
  return (
    name === 'invalidParameters' &&
    issues.length > 0 &&
    issues.every(({ path }) => fields.includes(String(path[0] ?? '')))
  );
}
