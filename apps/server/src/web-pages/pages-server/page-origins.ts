/** Under which origins the pages of devices are served: one for each session. */

export interface PageOrigins {
  readonly scheme: 'http' | 'https';
  readonly of: (label: string) => string;
  /** The label in a header `Host`; undefined for any other host. */
  readonly labelIn: (host: string | undefined) => string | undefined;
}

/** @param pattern `https://*.pages.example.com`, with a port if it is not the one of the scheme */
export function pageOrigins(pattern: string): PageOrigins {
  const { protocol, host } = new URL(pattern.replace('*', 'label'));
  const suffix = host.slice('label'.length).toLowerCase();
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return {
    scheme,
    of: (label) => `${scheme}://${label}${suffix}`,
    labelIn(given) {
      const text = (given ?? '').toLowerCase();
      const label = text.endsWith(suffix) ? text.slice(0, -suffix.length) : '';
      return /^[0-9a-f]{40}$/.test(label) ? label : undefined;
    },
  };
}
