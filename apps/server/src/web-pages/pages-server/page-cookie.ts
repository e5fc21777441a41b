/** The cookie that admits a browser to a session. It never leaves this server. */

/** Browsers accept the prefix only with TLS. It prevents that another host sets the cookie. */
const cookieNames = {
  https: '__Host-deviceportal-page',
  http: 'deviceportal-page',
} as const;

type Scheme = keyof typeof cookieNames;
type Pair = readonly [name: string, value: string];

const isOwn = (name: string): boolean =>
  Object.values(cookieNames).some((own) => own.toLowerCase() === name.trim().toLowerCase());

export const pageCookie = (scheme: Scheme, secret: string): string =>
  `${cookieNames[scheme]}=${secret}; Path=/; HttpOnly; SameSite=Strict${scheme === 'https' ? '; Secure' : ''}`;

/** The secret in a header `Cookie`; undefined if there is none, or more than one. */
export function secretIn(scheme: Scheme, header: string | undefined): string | undefined {
  const found = cookiesIn(header).filter(([name]) => name === cookieNames[scheme]);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** The cookies of the device. */
export function withoutOwnCookie(header: string): string {
  return cookiesIn(header)
    .filter(([name]) => !isOwn(name))
    .map(([name, value]) => (name === '' ? value : `${name}=${value}`))
    .join('; ');
}

/** A cookie that a device sets, for this host only; undefined if it would replace the one of the portal. */
export function hostOnlyCookie(header: string): string | undefined {
  const [pair = '', ...attributes] = header.split(';');
  if (isOwn(pair.split('=', 1)[0] ?? '')) return undefined;
  const kept = attributes.filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute));
  return [pair, ...kept].join(';');
}

/** Headers that delete the cookies of a request. */
export function expireCookies(header: string | undefined): string[] {
  return cookiesIn(header)
    .slice(0, MOST_EXPIRED)
    .filter(([name]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    .map(
      ([name]) =>
        `${name}=; Path=/; Max-Age=0${name.toLowerCase().startsWith('__') ? '; Secure' : ''}`,
    );
}

const MOST_EXPIRED = 50;

function cookiesIn(header: string | undefined): Pair[] {
  return (header ?? '').split(';').flatMap((part): Pair[] => {
    const text = part.trim();
    const at = text.indexOf('=');
    if (text === '') return [];
    return [at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]];
  });
}
