import type { CaseEntry } from '@deviceportal/contract/cases';
import type { Language } from '../i18n/languages.ts';

export interface DayOfEntries {
  /** The formatted date. */
  readonly day: string;
  readonly entries: readonly CaseEntry[];
}

/** Groups entries by day in the viewer’s time zone, in their order. */
export function entriesByDay(
  entries: readonly CaseEntry[],
  language: Language,
  timeZone?: string,
): DayOfEntries[] {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone });
  const days = Map.groupBy(entries, ({ at }) => format.format(Date.parse(at)));
  return [...days].map(([day, ofDay]) => ({ day, entries: ofDay }));
}
