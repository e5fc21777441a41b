/** Where a request may contain the authorization value; anything but a text or list of texts counts as absent. */
export interface AuthorizationPlaces {
  readonly header?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * The token of a request: header, then query, then body, without its `Bearer` prefix, trimmed
 * (docs/design/sign-in.md, section 5). The first place with a value decides: an invalid header is not replaced by a
 * body.
 */
export function readAuthorization({
  header,
  query,
  body,
}: AuthorizationPlaces): string | undefined {
  for (const place of [header, query, body]) {
    const value: unknown = Array.isArray(place) ? place[0] : place;
    if (typeof value !== 'string') continue;
    const token = value
      .trim()
      .replace(/^bearer(\s+|$)/i, '')
      .trim();
    if (token !== '') return token;
  }
  return undefined;
}
