/** Whose accounts: those of the user pool, or of a pool of the provider. No account is in two of them. */
export type Directory = 'user-pool' | `provider/${string}`;

export function providerDirectory(userPoolId: string): Directory {
  return `provider/${userPoolId}`;
}
