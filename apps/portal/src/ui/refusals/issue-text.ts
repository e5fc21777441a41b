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

/** The text of a problem of a value. Kinds unknown to the portal are shown as received. */
export function issueText(
  { kind, values, message }: Pick<FieldIssue, 'kind' | 'message' | 'values'>,
  t: Translate,
): string {
  return kind === undefined ? message : t(keys[kind], values);
}
