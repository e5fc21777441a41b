import type { ResolvedOptions } from './options.ts';

/** Version of the wire contract that providers expect. */
export const WIRE_VERSION = '4.21.8';

/** The client's identification, sent with every request. Unknown values are omitted. */
export function requestHeaders(options: ResolvedOptions): Record<string, string> {
  const values: Readonly<Record<string, string | undefined>> = {
    'app-id': options.appId,
    'tenant-id': options.tenantId,
    'userpool-id': options.userPoolId,
    'request-from': options.requestFrom,
    'sdk-version': `js:${WIRE_VERSION}`,
    lang: options.lang,
  };
  const names: Readonly<Record<string, string>> = { ...options.headers };
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const name = names[key];
      return name && value ? [[name, value]] : [];
    }),
  );
}
