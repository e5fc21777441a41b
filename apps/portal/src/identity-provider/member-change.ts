/** A change of the members, sent by the table. */
export interface MemberChange<Input> {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly mutate: (input: Input, options?: { readonly onSuccess?: () => void }) => void;
  readonly reset: () => void;
}
