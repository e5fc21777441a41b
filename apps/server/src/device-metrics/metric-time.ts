/** Hours and days since 1970 and months since year 0, all in UTC: the keys of stored metrics. */

const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
export const QUARTER_HOUR_SECONDS = 900;
export const HOURS_PER_DAY = 24;

export const hourOf = (seconds: number): number => Math.floor(seconds / HOUR_SECONDS);
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

export function monthOf(day: number): number {
  const date = new Date(day * DAY_SECONDS * 1_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const secondsOf = (date: Date): number => date.getTime() / 1_000;
