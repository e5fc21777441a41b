type Options = { readonly trpc?: object } | undefined;

const OPTION_MAKERS = new Set(['queryOptions', 'infiniteQueryOptions']);

/**
 * Sets `trpc.abortOnUnmount` for every query, so that requests are aborted when their screen
 * unmounts. The options proxy offers it only query by query (docs/design/portal.md, section 7).
 */
export function abortOnUnmountEverywhere<Api extends object>(api: Api): Api {
  return new Proxy(api, {
    get(target, property, receiver) {
      const value: unknown = Reflect.get(target, property, receiver);
      if (typeof property === 'string' && OPTION_MAKERS.has(property)) {
        return (input: unknown, options: Options) =>
          (value as (input: unknown, options: Options) => unknown)(input, {
            ...options,
            trpc: { abortOnUnmount: true, ...options?.trpc },
          });
      }
      const isPath = typeof value === 'object' || typeof value === 'function';
      return isPath && value !== null && typeof property === 'string' && !isOwnMethod(property)
        ? abortOnUnmountEverywhere(value as object)
        : value;
    },
  });
}

/** Own methods of a procedure or router, which the proxy must return unchanged. */
function isOwnMethod(property: string): boolean {
  return /(Options|Key|Filter)$/.test(property);
}
