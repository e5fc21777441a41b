import { encodeFilter, type UrlFilterOperator } from '../shell/filter-codec.ts';

/** The device list, filtered: no number on the home page is dead. */
export function devicesWith(key: string, operator: UrlFilterOperator, value: string): string {
  const q = encodeFilter({ operation: 'and', tokens: [{ key, operator, values: [value] }] });
  return `/devices?q=${encodeURIComponent(q)}`;
}

const DAY_MS = 86_400_000;

/** Offline and not seen for a day. */
export function devicesOfflineOverADay(nowMs: number): string {
  const q = encodeFilter({
    operation: 'and',
    tokens: [
      { key: 'connectivity', operator: '=', values: ['offline'] },
      { key: 'lastSeen', operator: '<=', values: [new Date(nowMs - DAY_MS).toISOString()] },
    ],
  });
  return `/devices?q=${encodeURIComponent(q)}`;
}
