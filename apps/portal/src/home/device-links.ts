import { encodeFilter, type UrlFilterOperator } from '../ui/filter-codec.ts';

/** A link to the device list with one filter. */
export function devicesWith(key: string, operator: UrlFilterOperator, value: string): string {
  const q = encodeFilter({ operation: 'and', tokens: [{ key, operator, values: [value] }] });
  return `/devices?q=${encodeURIComponent(q)}`;
}
