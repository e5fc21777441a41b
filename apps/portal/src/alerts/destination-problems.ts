import { portalErrorOf } from '../api/portal-error-of.ts';
import type { Translate } from '../i18n/use-t.ts';
import { issueText } from '../ui/refusals/issue-text.ts';
import { refusalText } from '../ui/refusals/refusal-text.ts';

/** The problems of destinations by their position in the form. */
export function destinationProblems(error: unknown, t: Translate): ReadonlyMap<number, string> {
  if (error === null || error === undefined) return new Map();
  const portalError = portalErrorOf(error);
  return new Map(
    portalError.issues.flatMap((issue) =>
      issue.path[0] === 'destinations' && typeof issue.path[1] === 'number'
        ? [[issue.path[1], refusalText(portalError, t) ?? issueText(issue, t)] as const]
        : [],
    ),
  );
}
