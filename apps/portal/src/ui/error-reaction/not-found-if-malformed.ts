import { errorCatalog } from '@deviceportal/contract/errors';
import type { ClientError } from '../../api/portal-error-of.ts';
import type { ErrorSubject } from './error-texts.ts';

/** The server rejects an ID with an invalid format, but for the reader of a link nothing is there. */
export function notFoundIfMalformed(
  error: ClientError,
  subject: ErrorSubject | undefined,
): ClientError {
  return subject?.id !== undefined && error.name === 'invalidParameters'
    ? { ...error, name: 'notFound', code: errorCatalog.notFound.code }
    : error;
}
