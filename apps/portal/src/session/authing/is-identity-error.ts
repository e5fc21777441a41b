import type { IdentityError } from '@deviceportal/identity-client';

/** By its name: the class belongs to the provider's client, which a page loads only when it signs in there. */
export function isIdentityError(error: unknown): error is IdentityError {
  return error instanceof Error && error.name === 'IdentityError';
}
