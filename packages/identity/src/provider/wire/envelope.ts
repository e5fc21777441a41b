import { isIncomparable } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';
import { isDataException } from '../../database/is-data-exception.ts';
import { ProviderError, wordsOf, type WireLanguage } from './provider-error.ts';
import { refusals } from './refusals.ts';

/** An answer of the REST calls (docs/design/sign-in.md, section 8). */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** `{code: 200, message, data}` */
export function success(data?: unknown, message = 'ok'): Envelope {
  return { code: 200, message, ...(data !== undefined && { data }) };
}

/**
 * Converts a rejection to an envelope; any other error becomes an internal error without details.
 */
export function failure(error: unknown, language: WireLanguage): Envelope {
  const { refusal, data } = toProviderError(error);
  const message = wordsOf(refusal, language);
  return { code: refusal.code, message, ...(data !== undefined && { data }) };
}

/** Input that does not fit its schema is refused with the paths that are wrong, never with what was sent. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof z.ZodError) {
    const fields = error.issues.map(({ path, code }) => ({ path: path.join('.'), code }));
    return new ProviderError(refusals.invalidParameters, { fields });
  }
  if (isDataException(error) || isIncomparable(error)) {
    return new ProviderError(refusals.invalidParameters);
  }
  return new ProviderError(refusals.internal);
}
