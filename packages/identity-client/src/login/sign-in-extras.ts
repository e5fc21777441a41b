/** Optional data of a registration or a sign-in. */
export interface SignInExtras {
  /** The user's IP address, for calls from the application's server. */
  readonly clientIp?: string | undefined;
  /** Values to store with the account. They take precedence over {@link params}. */
  readonly customData?: Readonly<Record<string, unknown>> | undefined;
  readonly params?: readonly { readonly key: string; readonly value: unknown }[] | undefined;
  /** Data for the provider's pipeline. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** The contract requires both as JSON texts, and null for missing values. */
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
