import { portalErrorOf } from '../api/portal-error-of.ts';

/** The problem of each field of a form, from error 2004; `''` holds what belongs to no field. */
export function fieldIssues(error: unknown): ReadonlyMap<string, string> {
  const issues = new Map<string, string>();
  if (error === null || error === undefined) return issues;
  for (const { path, message } of portalErrorOf(error).issues) {
    const field = String(path[0] ?? '');
    if (!issues.has(field)) issues.set(field, message);
  }
  return issues;
}

/** Whether an error stands at its fields already and needs no box of its own. */
export function isOnlyFieldIssues(error: unknown, fields: readonly string[]): boolean {
  const { name, issues } = portalErrorOf(error);
  return (
    name === 'invalidParameters' &&
    issues.length > 0 &&
    issues.every(({ path }) => fields.includes(String(path[0] ?? '')))
  );
}
