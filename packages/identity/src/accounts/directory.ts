/**
 * Directory of an account: the user pool, or a pool of the provider. Each account belongs to
 * exactly one.
 */
export type Directory = 'user-pool' | `provider/${string}`;

export function providerDirectory(userPoolId: string): Directory {
  return `provider/${userPoolId}`;
}
