import { asRecord } from '../core/send.ts';
import { toTypedValue } from './to-typed-value.ts';
import type { UserDefinedValue, UserValue } from './user-value.ts';

/** The values of a reply by name. Empty if the reply is not a list. */
export function toValueMap(list: unknown): Readonly<Record<string, UserValue>> {
  return Object.fromEntries(toValueList(list).map(({ key, value }) => [key, value]));
}

/** The typed values of a reply. Empty if the reply is not a list. */
export function toValueList(list: unknown): readonly UserDefinedValue[] {
  if (!Array.isArray(list)) return [];
  return list.map(asRecord).flatMap((item) => {
    const { key, dataType, value } = item;
    if (typeof key !== 'string') return [];
    return [{ ...item, key, value: toTypedValue(dataType, value) } as UserDefinedValue];
  });
}
