import type { ResolvedOptions } from './options.ts';

/** Base URL of all calls, without a trailing slash. */
export function baseUrl({ appHost, domain, host }: ResolvedOptions): string {
  if (appHost !== undefined) return appHost.replace(/\/$/, '');
  if (domain !== undefined) return `${new URL(host).protocol}//${domain}`;
  return host.replace(/\/$/, '');
}

/** URL of a path with its query. Undefined values are omitted. */
export function urlOf(base: string, path: string, query: QueryValues = {}): string {
  const text = queryText(query);
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Form encoding, for a query or the body of a token request. */
export function queryText(values: QueryValues): string {
  const said = Object.entries(values).filter(
    (entry): entry is [string, string | number | boolean] =>
      entry[1] !== undefined && entry[1] !== null,
  );
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
}
