import { asRecord } from '../core/send.ts';
import { toTypedValue } from './to-typed-value.ts';
import type { UserDefinedValue, UserValue } from './user-value.ts';

/** The values of a reply by their names; of no list, none. */
export function toValueMap(list: unknown): Readonly<Record<string, UserValue>> {
  return Object.fromEntries(toValueList(list).map(({ key, value }) => [key, value]));
}

/** The values of a reply in their types; of no list, none. */
export function toValueList(list: unknown): readonly UserDefinedValue[] {
  if (!Array.isArray(list)) return [];
  return list.map(asRecord).flatMap((item) => {
    const { key, dataType, value } = item;
    if (typeof key !== 'string') return [];
    return [{ ...item, key, value: toTypedValue(dataType, value) } as UserDefinedValue];
  });
}
