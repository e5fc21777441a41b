import type { CaseRow } from '@deviceportal/contract/cases';
import type { Translate } from '../../i18n/use-t.ts';

/** The assignee of a case in words. */
export function assigneeName({ assignee }: Pick<CaseRow, 'assignee'>, t: Translate): string {
  if (assignee === null) return t('cases.assignee.none');
  return assignee.isActive ? assignee.name : t('cases.assignee.left', { name: assignee.name });
}
