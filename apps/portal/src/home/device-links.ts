import { encodeFilter, type UrlFilterOperator } from '../ui/filter-codec.ts';

/** The device list, filtered: no number on the home page is dead. */
export function devicesWith(key: string, operator: UrlFilterOperator, value: string): string {
  const q = encodeFilter({ operation: 'and', tokens: [{ key, operator, values: [value] }] });
  return `/devices?q=${encodeURIComponent(q)}`;
}
