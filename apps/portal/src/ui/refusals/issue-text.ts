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
};

/** What is wrong with one value; a kind that only the server has words for stands as it came. */
export function issueText(
  { kind, values, message }: Pick<FieldIssue, 'kind' | 'message' | 'values'>,
  t: Translate,
): string {
  return kind === undefined ? message : t(keys[kind], values);
}
