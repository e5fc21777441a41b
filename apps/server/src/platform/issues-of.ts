import type { ZodError } from 'zod';

/** What does not fit the schema, as the catalogue's 2004 names it. */
export const issuesOf = (
  error: ZodError,
): { readonly path: (string | number)[]; readonly message: string }[] =>
  error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
