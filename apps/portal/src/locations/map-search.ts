import { searchSchema, textField } from '../ui/search-schema.ts';
import { listSearchDefaults, listSearchFields } from '../ui/list-search.ts';

const { q, op, view } = listSearchFields;

/**
 * The filter of the device list and the position of the map: `map=lat,lng,zoom`, or
 * `bbox=west,south,east,north` for an initial area.
 */
export const mapSearch = searchSchema({
  q,
  op,
  view,
  targets: textField(64),
  map: textField(48),
  bbox: textField(80),
});
export const mapDefaults = {
  q: listSearchDefaults.q,
  op: listSearchDefaults.op,
  view: listSearchDefaults.view,
  targets: '',
  map: '',
  bbox: '',
} as const;
