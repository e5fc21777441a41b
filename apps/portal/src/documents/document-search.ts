import { flagField, searchSchema, textField } from '../ui/search-schema.ts';

const version = textField(16);
/** One version is a number to the router already. */
const versionField = (raw: unknown): string | number =>
  typeof raw === 'number' ? raw : version(raw);

export const documentSearch = searchSchema({
  tab: textField(32),
  /** One version, or two to compare: `3` (which the router reads as a number), `3..5`. */
  v: versionField,
  /** The editor for a new version stands in the tabs' place. */
  edit: flagField,
});
export const documentDefaults = { tab: '', v: '', edit: false } as const;
