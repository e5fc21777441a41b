import type { GraphQLError } from 'graphql';
import type { ProviderContext } from '../provider/provider-context.ts';
import { failure, toProviderError, type Envelope } from '../provider/wire/envelope.ts';
import { wordsOf, type WireLanguage } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}

/** Errors of the contract: their message is an object. */
interface WireResult {
  readonly errors?: readonly { readonly message: Envelope }[];
  readonly data: unknown;
}

/** Result for the client. Internal errors are reported only to the operator. */
export function toWireResult(
  { data = null, errors }: Result,
  language: WireLanguage,
  { onInternalError }: Pick<ProviderContext, 'onInternalError'>,
): WireResult {
  if (errors === undefined || errors.length === 0) return { data };
  return {
    errors: errors.map((error) => ({ message: { data: null, ...messageOf(error) } })),
    data,
  };

  function messageOf(error: unknown): Envelope {
    const cause = causeOf(error);
    if (isGraphqlError(error) && cause === undefined) {
      // The operation itself is wrong: a message about the client's own text.
      const { code } = refusals.invalidParameters;
      const message = wordsOf(refusals.invalidParameters, language);
      return { code, message, data: { detail: error.message } };
    }
    if (toProviderError(cause).refusal === refusals.internal) onInternalError(cause, 'graphql');
    return failure(cause, language);
  }
}

/**
 * The error of a resolver; undefined if the library itself rejected the operation or its variables.
 */
function causeOf(error: unknown): unknown {
  return isGraphqlError(error) ? causeOf(error.originalError ?? undefined) : error;
}

/** Checked by name, because there can be two copies of the library. */
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}
