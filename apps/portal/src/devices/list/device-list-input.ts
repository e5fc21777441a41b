import type { ApiInputs } from '../../api/use-api.ts';
import type { DevicesSorting } from './filter/device-filter.ts';

export const DEVICES_TABLE = 'devices';

type Input = ApiInputs['devices']['list'];

/** What a page of the list asks for: asked for ahead or by the page itself, it is the same question. */
export function deviceListInput({
  filter,
  sorting,
  pageSize,
  cursor,
}: Pick<Input, 'filter' | 'pageSize' | 'cursor'> & { readonly sorting: DevicesSorting }): Input {
  return { filter, ...sorting, pageSize, cursor };
}
