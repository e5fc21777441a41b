import { IdentityError, type LocalErrorCode } from './identity-error.ts';
import type { IdentityClient } from './identity-client.ts';
import { say, type Sentence } from './language.ts';

/** Tells the application's handler; what the handler throws goes out instead of the error. */
export function report(client: IdentityClient, error: IdentityError): IdentityError {
  client.options.onError?.(error.code, error.message, error.data);
  return error;
}

/** A failure found on this side, in the language of the client. The handler hears only of what went over the wire. */
export function localError(
  client: Pick<IdentityClient, 'options'>,
  code: LocalErrorCode,
  sentence: Sentence,
  details: { readonly data?: unknown; readonly cause?: unknown } = {},
): IdentityError {
  return new IdentityError(say(client.options.lang, sentence), { code, ...details });
}
