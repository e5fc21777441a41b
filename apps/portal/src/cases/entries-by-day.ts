import type { CaseEntry } from '@deviceportal/contract/cases';
import type { Language } from '../i18n/languages.ts';

export interface DayOfEntries {
  /** The formatted date with the time zone. */
  readonly day: string;
  readonly entries: readonly CaseEntry[];
}

/** Groups entries by day in the viewer’s time zone, in their order. */
export function entriesByDay(
  entries: readonly CaseEntry[],
  language: Language,
  timeZone?: string,
): DayOfEntries[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone });
  const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short', timeZone });
  const zoneAt = (atMs: number): string =>
    zone.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const days = Map.groupBy(entries, ({ at }) => {
    const atMs = Date.parse(at);
    return `${date.format(atMs)} ${zoneAt(atMs)}`;
  });
  return [...days].map(([day, ofDay]) => ({ day, entries: ofDay }));
}
