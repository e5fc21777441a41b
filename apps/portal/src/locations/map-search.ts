import { searchSchema, textField } from '../shell/search-schema.ts';
import { listSearchDefaults, listSearchFields } from '../shell/list-search.ts';

const { q, op, view } = listSearchFields;

/** The list's own filter, and where the map is: `lat,lng,zoom`. */
export const mapSearch = searchSchema({ q, op, view, targets: textField(64), map: textField(48) });
export const mapDefaults = {
  q: listSearchDefaults.q,
  op: listSearchDefaults.op,
  view: listSearchDefaults.view,
  targets: '',
  map: '',
} as const;
