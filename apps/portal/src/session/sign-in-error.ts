import { errorCatalog } from '@deviceportal/contract/errors';
import type { Challenge } from './challenge.ts';

type SignInErrorName =
  | 'unknown'
  | 'loginUserDoesNotExist'
  | 'invalidLoginCode'
  | 'loginUserNotAuthorized'
  | 'loginInvalidSession';

export interface SignInErrorOptions {
  /** Replaces the message of the catalog. */
  readonly message?: string;
  readonly cause?: unknown;
  /** The next challenge after a wrong code. */
  readonly challenge?: Challenge;
}

/** A failed sign-in with an error of the catalog. `cause` is the error of the provider. */
export class SignInError extends Error {
  override readonly name: SignInErrorName;
  readonly code: number;
  readonly challenge: Challenge | undefined;

  constructor(name: SignInErrorName, options: SignInErrorOptions = {}) {
    super(options.message ?? errorCatalog[name].message, { cause: options.cause });
    this.name = name;
    this.code = errorCatalog[name].code;
    this.challenge = options.challenge;
  }
}
