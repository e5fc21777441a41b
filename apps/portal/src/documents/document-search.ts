import { flagField, searchSchema, textField } from '../ui/search-schema.ts';

const version = textField(16);
/** The router parses a single version as a number. */
const versionField = (raw: unknown): string | number =>
  typeof raw === 'number' ? raw : version(raw);

export const documentSearch = searchSchema({
  tab: textField(32),
  /** One version, or two to compare: `3` (which the router parses as a number), `3..5`. */
  v: versionField,
  /** Shows the editor for a new version in place of the tabs. */
  edit: flagField,
});
export const documentDefaults = { tab: '', v: '', edit: false } as const;
