import { MOST_ISSUES } from '@deviceportal/contract/errors';
import type { ZodError } from 'zod';

/** What does not fit the schema, as the catalogue's 2004 names it. */
export const issuesOf = (
  error: ZodError,
): { readonly path: (string | number)[]; readonly message: string }[] =>
  error.issues.slice(0, MOST_ISSUES).map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
