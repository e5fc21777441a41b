import { IdentityError, type LocalErrorCode } from './identity-error.ts';
import type { IdentityClient } from './identity-client.ts';
import { say, type Sentence } from './language.ts';

/**
 * Calls the application's error handler. An error that the handler throws replaces the original
 * one.
 */
export function report(client: IdentityClient, error: IdentityError): IdentityError {
  client.options.onError?.(error.code, error.message, error.data);
  return error;
}

/**
 * An error that the client detected, in the client's language. It is not passed to the error
 * handler, which receives only errors of requests.
 */
export function localError(
  client: Pick<IdentityClient, 'options'>,
  code: LocalErrorCode,
  sentence: Sentence,
  details: { readonly data?: unknown; readonly cause?: unknown } = {},
): IdentityError {
  return new IdentityError(say(client.options.lang, sentence), { code, ...details });
}
