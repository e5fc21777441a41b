import { errorCatalogue } from '@deviceportal/contract/errors';
import type { Challenge } from './challenge.ts';

type SignInErrorName =
  | 'unknown'
  | 'loginUserDoesNotExist'
  | 'invalidLoginCode'
  | 'loginUserNotAuthorized'
  | 'loginInvalidSession';

export interface SignInErrorOptions {
  /** In place of the catalogue's own message. */
  readonly message?: string;
  readonly cause?: unknown;
  /** With a wrong code: what is asked next. */
  readonly challenge?: Challenge;
}

/** A failed sign-in in the words of the error catalogue; `cause` is what the provider said. */
export class SignInError extends Error {
  override readonly name: SignInErrorName;
  readonly code: number;
  readonly challenge: Challenge | undefined;

  constructor(name: SignInErrorName, options: SignInErrorOptions = {}) {
    super(options.message ?? errorCatalogue[name].message, { cause: options.cause });
    this.name = name;
    this.code = errorCatalogue[name].code;
    this.challenge = options.challenge;
  }
}
