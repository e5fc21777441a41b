type Options = { readonly trpc?: object } | undefined;

const OPTION_MAKERS = new Set(['queryOptions', 'infiniteQueryOptions']);

/**
 * The options proxy aborts a request with its screen only where `trpc.abortOnUnmount` is asked for, query by query.
 * This asks for it everywhere (docs/design/portal.md, section 7).
 */
export function abortWithScreen<Api extends object>(api: Api): Api {
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
        ? abortWithScreen(value as object)
        : value;
    },
  });
}

/** Methods of a procedure or router, which are called and not walked through. */
function isOwnMethod(property: string): boolean {
  return /(Options|Key|Filter)$/.test(property);
}
