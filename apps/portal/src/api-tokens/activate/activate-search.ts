import { searchSchema, textField } from '../../ui/search-schema.ts';

export const activateSearch = searchSchema({
  /** From the link of an application (RFC 8628, section 3.3.1). */
  user_code: textField(40),
});
export const activateDefaults = { user_code: '' } as const;
