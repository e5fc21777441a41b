import type { CaseEntry } from '@deviceportal/contract/cases';
import type { CaseOutcome } from '@deviceportal/contract/states';
import { caseOutcome } from '@deviceportal/contract/states';
import { auditTypeWords } from '../audit-trail/audit-event-words.ts';
import { formatAbsolute } from '../i18n/format-values.ts';
import { languageState } from '../i18n/language-store.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/use-t.ts';
import { wordOf } from '../ui/status-of.tsx';

/** The text of an entry before its link: the user and the action. */
export function entryWords(entry: CaseEntry, personId: string, t: Translate): string {
  const { actor, kind, data, reference } = entry;
  if (kind === 'act') {
    return t('cases.entry.act', { actor, act: auditTypeWords(textOf(data['type']), t) });
  }
  if (kind === 'person-viewed' && reference !== personId) {
    return t('cases.entry.other-person-viewed', { actor });
  }
  if (kind === 'assigned') {
    const assignee = textOf(data['username']);
    return assignee === ''
      ? t('cases.entry.unassigned', { actor })
      : t('cases.entry.assigned', { actor, assignee });
  }
  if (kind === 'closed') {
    return t('cases.entry.closed', { actor, outcome: outcomeWords(textOf(data['outcome'])) });
  }
  return t(`cases.entry.${kind}` as MessageKey, {
    actor,
    command: entry.run?.command ?? (textOf(data['command']) || '-'),
  });
}

/** The text that a user entered, or the rule of an alert. */
export function entryText({ kind, data }: CaseEntry): string {
  if (kind === 'note' || kind === 'closed') return textOf(data['text']);
  if (kind === 'opened' || kind === 'updated') return changeText(data);
  if (kind === 'act' && textOf(data['type']).startsWith('alert.')) return textOf(data['rule']);
  return kind === 'command' ? textOf(data['comment']) : '';
}

/** What was entered: texts, and a priority and a due time in words. */
function changeText(data: CaseEntry['data']): string {
  const { language } = languageState();
  const { ticket, about, priority, queue, dueAt } = data;
  return [
    textOf(ticket),
    textOf(about),
    priority === undefined ? '' : wordOf('casePriority', textOf(priority), language),
    textOf(queue),
    typeof dueAt === 'string' ? formatAbsolute(language, Date.parse(dueAt)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function outcomeWords(outcome: string): string {
  return caseOutcome[outcome as CaseOutcome]?.[languageState().language] ?? outcome;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
