/** A due time as entered, in the time zone of the browser: `2026-11-20` and `17:00`. */
export interface DueDraft {
  readonly date: string;
  readonly time: string;
}

/** The time of a day without an entered time. */
const END_OF_WORK = '17:00';

export function dueDraftOf(dueAt: string | null): DueDraft {
  if (dueAt === null) return { date: '', time: '' };
  const at = new Date(dueAt);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/** Null for no due time; undefined while the entered text is no time. */
export function dueAtOf({ date, time }: DueDraft): string | null | undefined {
  if (date === '') return time === '' ? null : undefined;
  const at = new Date(`${date}T${time === '' ? END_OF_WORK : time}`);
  const isWhole = time === '' || time.length === 5;
  return isWhole && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
