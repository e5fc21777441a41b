import { listSearchDefaults, listSearchFields } from '../../ui/list-search.ts';
import { flagField, searchSchema, textField } from '../../ui/search-schema.ts';

export const runsSearch = searchSchema({
  ...listSearchFields,
  mine: flagField,
  active: flagField,
  /** Only runs that need the viewer’s approval. */
  awaiting: flagField,
  /** Only runs of the last 24 hours with a failed invocation. */
  failing: flagField,
  /** Only runs that ended on this day, `2026-11-20` in UTC. */
  ended: textField(10),
  /** Only runs on this device, or of this document. */
  device: textField(64),
  document: textField(128),
});
export const runsDefaults = {
  ...listSearchDefaults,
  mine: false,
  active: false,
  awaiting: false,
  failing: false,
  ended: '',
  device: '',
  document: '',
} as const;
