import { unavailable } from '../unavailable.ts';

interface S3Failure extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** `403 AccessDenied`, or `ECONNREFUSED`; undefined for an error that is not one of S3. */
export function s3ErrorName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, code, $metadata } = error as S3Failure;
  if ($metadata === undefined || name === 'AbortError') return undefined;
  const status = $metadata.httpStatusCode;
  return status === undefined ? (code ?? name) : `${status} ${name}`;
}

/**
 * The error that callers of a file store get. The client has already repeated the request where
 * that can help.
 */
export function asFileError(error: unknown): unknown {
  const name = s3ErrorName(error);
  if (name === undefined) return error;
  return unavailable({ detail: `the file store answered ${name}`, cause: error });
}
