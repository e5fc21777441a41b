import { choiceField, flagField, textField } from './search-schema.ts';

/**
 * Search parameters of every list. Invalid values become defaults, and defaults are removed from
 * the URL.
 */
export const listSearchFields = {
  /** The property filter, see `filter-codec.ts`. */
  q: textField(8_000),
  op: choiceField('and', 'or'),
  /** `name`, or `-lastSeen` for descending. Empty for the default of the screen. */
  sort: textField(64),
  /** The ID of a saved view. */
  view: textField(64),
  /** The row in the split panel. */
  sel: textField(160),
  live: flagField,
} as const;

export const listSearchDefaults = {
  q: '',
  op: 'and',
  sort: '',
  view: '',
  sel: '',
  live: false,
} as const;

/** A time range: `24h`, `7d`, or `2026-11-01T00:00Z..2026-11-20T00:00Z`. */
export const timeRangeField = textField(80);
