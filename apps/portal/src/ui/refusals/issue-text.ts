import type { FieldIssue } from '@deviceportal/contract/errors';
import type { IssueKind } from '@deviceportal/contract/field-issue';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';

const keys: Readonly<Record<IssueKind, MessageKey>> = {
  required: 'commands.issue.required',
  type: 'commands.issue.type',
  'one-of': 'commands.issue.oneOf',
  pattern: 'commands.issue.pattern',
  size: 'commands.issue.size',
  exactly: 'commands.issue.exactly',
  'unknown-key': 'commands.issue.unknownKey',
  undeclared: 'commands.issue.undeclared',
  'too-large-together': 'commands.issue.tooLargeTogether',
  syntax: 'documents.problem.syntax',
  'too-deep': 'documents.problem.tooDeep',
  'too-large': 'documents.problem.tooLarge',
  'too-large-as-json': 'documents.problem.tooLargeAsJson',
  'too-many-parts': 'documents.problem.tooManyParts',
  'too-many-steps': 'documents.problem.tooManySteps',
  'step-name-taken': 'documents.problem.stepNameTaken',
  'after-final-step': 'documents.problem.afterFinalStep',
  'reference-undeclared': 'documents.problem.referenceUndeclared',
  'store-reference': 'documents.problem.storeReference',
  'not-from-store': 'documents.problem.notFromStore',
  name: 'documents.problem.name',
  expression: 'documents.problem.expression',
  above: 'documents.problem.above',
};

/** The text of a problem of a value. Kinds unknown to the portal are shown as received. */
export function issueText(
  { kind, values, message }: Pick<FieldIssue, 'kind' | 'message' | 'values'>,
  t: Translate,
): string {
  return kind === undefined ? message : t(keys[kind], values);
}
