import { encodeFilter } from '../shell/filter-codec.ts';

/** The device list, filtered by a component or by one of its versions. */
export function devicesWithSoftware(component: string, version?: string): string {
  const value = version === undefined ? component : `${component}:${version}`;
  const q = encodeFilter({
    operation: 'and',
    tokens: [{ key: 'software', operator: '=', values: [value] }],
  });
  return `/devices?q=${encodeURIComponent(q)}`;
}
