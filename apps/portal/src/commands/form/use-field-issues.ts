import { useState } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { fieldIssuesOf, issuesByParameter, type FieldValues } from './form-model.ts';

/**
 * Problems of the parameters. Shown for a field after it loses the focus, and for all fields after
 * a submit.
 * @param error The error of the last run.
 */
export function useFieldIssues(
  { parameters }: Pick<CommandForm, 'parameters'>,
  fields: FieldValues,
  error: unknown,
) {
  const t = useT();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [pressed, setPressed] = useState(false);
  const issues = fieldIssuesOf(parameters, fields);
  const refused = error === null ? undefined : issuesByParameter(portalErrorOf(error).issues);
  return {
    hasIssues: issues.size > 0,
    firstWrong: Object.keys(parameters).find((name) => issues.has(name)),
    showAll: () => setPressed(true),
    touch: (name: string) => setTouched((old) => new Set(old).add(name)),
    issueOf: (name: string): string | undefined => {
      const shown = pressed || touched.has(name) ? issues.get(name) : undefined;
      const issue = shown ?? refused?.get(name);
      return issue === undefined ? undefined : issueText(issue, t);
    },
  };
}
