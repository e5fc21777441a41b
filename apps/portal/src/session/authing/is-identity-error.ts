import type { IdentityError } from '@deviceportal/identity-client';

/** Checks the name, because importing the class would load the provider’s client on every page. */
export function isIdentityError(error: unknown): error is IdentityError {
  return error instanceof Error && error.name === 'IdentityError';
}
