/** A change of members, which the table sends. */
export interface MemberChange<Input> {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly mutate: (input: Input, options?: { readonly onSuccess?: () => void }) => void;
  readonly reset: () => void;
}
