/** What an application may send along with a registration or a sign-in. */
export interface SignInExtras {
  /** The address of the person, where the application's server calls. */
  readonly clientIp?: string | undefined;
  /** Values to keep with the account; they win over {@link params}. */
  readonly customData?: Readonly<Record<string, unknown>> | undefined;
  readonly params?: readonly { readonly key: string; readonly value: unknown }[] | undefined;
  /** What the provider's pipeline sees. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** The contract wants both as texts, and null where nothing was said. */
export function extrasAsText({ customData, params, context }: SignInExtras): {
  params: string | null;
  context: string | null;
} {
  const list = customData
    ? Object.entries(customData).map(([key, value]) => ({ key, value }))
    : params;
  return {
    params: list ? JSON.stringify(list) : null,
    context: context ? JSON.stringify(context) : null,
  };
}
