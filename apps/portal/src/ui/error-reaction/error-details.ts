import type { ClientError } from '../../api/portal-error-of.ts';

/** The text of “Copy details”, for support. Contains no tokens. */
export function errorDetails(
  error: ClientError,
  page: { readonly url: string; readonly atMs: number },
): string {
  return [
    `code: ${error.code} (${error.name})`,
    `message: ${error.message}`,
    `request: ${error.requestId || '-'}`,
    ...(error.httpStatus === null ? [] : [`status: ${error.httpStatus}`]),
    ...error.issues.map((issue) => `issue: ${issue.path.join('.') || '-'}: ${issue.message}`),
    `at: ${new Date(page.atMs).toISOString()}`,
    `page: ${page.url}`,
  ].join('\n');
}
