/** Shows a time; `-` for none. */
export type MomentWords = (at: string | null) => string;

/** `2026-11-20 18:00:05`: absolute and in UTC, the same for every reader. */
export function momentWords(at: string | null): string {
  return at === null ? '-' : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** The same in a time zone. */
export function momentWordsIn(timeZone: string): MomentWords {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => (at === null ? '-' : format.format(new Date(at)));
}

export const timeUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `2 h 5 min`, `212 ms`. */
export function durationWords(from: string | null, to: string | null): string {
  if (from === null || to === null) return '-';
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from));
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  let seconds = Math.round(milliseconds / 1_000);
  const parts: string[] = [];
  for (const [unit, size] of timeUnits) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}
