import { errorCatalog } from '@deviceportal/contract/errors';
import type { Challenge } from './challenge.ts';

type SignInErrorName =
  | 'unknown'
  | 'loginUserDoesNotExist'
  | 'invalidLoginCode'
  | 'loginUserNotAuthorized'
  | 'loginInvalidSession';

export interface SignInErrorOptions {
  /** In place of the catalog's own message. */
  readonly message?: string;
  readonly cause?: unknown;
  /** With a wrong code: what is asked next. */
  readonly challenge?: Challenge;
}

/** A failed sign-in in the words of the error catalog; `cause` is what the provider said. */
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
