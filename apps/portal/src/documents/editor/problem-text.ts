import type { DocumentProblem } from '@deviceportal/contract/documents';
import type { Translate } from '../../i18n/use-t.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';

/** The text of a problem. */
export function problemText(problem: DocumentProblem, t: Translate): string {
  switch (problem.kind) {
    case 'one-of':
      return t('documents.problem.oneOf', problem.values);
    case 'unknown-key':
      return t('documents.problem.unknown');
    case 'exactly':
      return t('documents.problem.exactly', problem.values);
    case 'required':
      return t('documents.problem.missing');
    default:
      return issueText(problem, t);
  }
}
