import type { ApiInputs } from '../../api/use-api.ts';
import type { DevicesSorting } from './filter/device-filter.ts';

export const DEVICES_TABLE = 'devices';

type Input = ApiInputs['devices']['list'];

/**
 * The request for a page of the list. The prefetch and the page use the same input, and therefore
 * the same cache entry.
 */
export function deviceListInput({
  filter,
  sorting,
  pageSize,
  cursor,
}: Pick<Input, 'filter' | 'pageSize' | 'cursor'> & { readonly sorting: DevicesSorting }): Input {
  return { filter, ...sorting, pageSize, cursor };
}
