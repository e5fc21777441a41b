import type { QueryValues } from './base-url.ts';
import type { GraphqlOperation } from './graphql-operation.ts';
import type { IdentityError } from './identity-error.ts';

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: QueryValues;
  /** Sent as JSON, unless it is `FormData`. */
  readonly body?: object;
  /** Overrides the current user's token; `null` sends none. */
  readonly token?: string | null | undefined;
  /** Overrides the application's host. */
  readonly base?: string;
  /** The error for a malformed response. */
  readonly malformed?: IdentityError;
  readonly signal?: AbortSignal | undefined;
}

export interface GraphqlCall {
  readonly operation: GraphqlOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Overrides the current user's token. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RawCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: QueryValues;
  /** Sent form-encoded. */
  readonly form?: QueryValues;
  readonly authorization?: string;
  readonly signal?: AbortSignal | undefined;
}
