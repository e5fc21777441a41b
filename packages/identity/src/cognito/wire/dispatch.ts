import { randomUUID } from 'node:crypto';
import { isDataException } from '../../database/is-data-exception.ts';
import type { Operation } from './operation.ts';
import { invalidParameter, WireError } from './wire-error.ts';
import { errorReply, successReply, type WireReply, type WireRequest } from './wire-reply.ts';

export type Operations = ReadonlyMap<string, Operation>;

/** Called for internal errors, of which the client sees only InternalErrorException. */
export type OnInternalError = (error: unknown, target: string) => void;

/**
 * Handles a call of the JSON 1.1 protocol: the operation is in `x-amz-target`, the input in the
 * body.
 */
export async function dispatch(
  operations: Operations,
  request: WireRequest,
  onInternalError: OnInternalError,
): Promise<WireReply> {
  const target = header(request, 'x-amz-target');
  const requestId = request.requestId ?? randomUUID();
  try {
    const operation = operations.get(target);
    if (request.method !== 'POST' || operation === undefined) {
      throw new WireError('UnknownOperationException', 'Unknown operation');
    }
    const output = await operation(parseBody(request.body), {
      address: request.address,
      requestId,
      request,
    });
    return successReply(output, requestId);
  } catch (error) {
    const refusal = asWireError(error);
    if (refusal.name === 'InternalErrorException' || refusal.name === 'UnexpectedLambdaException') {
      onInternalError(refusal.cause ?? error, target);
    }
    return errorReply(refusal, requestId);
  }
}

function asWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return isDataException(error)
    ? invalidParameter('A parameter contains a value that cannot be stored.')
    : new WireError('InternalErrorException', 'Something went wrong.', { cause: error });
}

function parseBody(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Answered below, like a body of another kind.
  }
  throw new WireError('SerializationException', 'The body is not a JSON object.');
}

function header(request: WireRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
