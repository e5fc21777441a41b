/** A browser as far as a sign-in needs one: it keeps cookies by path, follows redirects, and sends forms. */
export interface Browser {
  /** Goes where it is sent until a page answers, or until an address of `stopAt`. */
  open(url: string, init?: RequestInit): Promise<BrowserPage>;
  /** Fills in the form with this act, and sends it. */
  submit(
    page: BrowserPage,
    act: string,
    fields?: Readonly<Record<string, string>>,
  ): Promise<BrowserPage>;
  cookies(): readonly string[];
  /** What it would send there. */
  cookieHeader(url: string): string;
}

export interface BrowserPage {
  /** Where it ended; the application's address when it was sent there. */
  readonly url: URL;
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly host: string;
}

/** @param stopAt beginning of addresses that are not opened: nothing listens at the application's */
export function createBrowser(stopAt: string): Browser {
  let jar: Cookie[] = [];
  const keep = (line: string, url: URL): void => {
    const [pair = '', ...attributes] = line.split(/; */);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    const attribute = (wanted: string) =>
      attributes
        .find((each) => each.toLowerCase().startsWith(`${wanted}=`))
        ?.slice(wanted.length + 1);
    const path = attribute('path') ?? url.pathname;
    const isOver =
      attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '2999-01-01') < Date.now();
    jar = jar.filter(
      (each) => each.name !== name || each.path !== path || each.host !== url.hostname,
    );
    if (!isOver) jar.push({ name, value, path, host: url.hostname });
  };
  const cookiesFor = (url: URL): string =>
    jar
      .filter(
        ({ host, path }) =>
          host === url.hostname &&
          (url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/'))),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  const open = async (start: string, init: RequestInit = {}): Promise<BrowserPage> => {
    let url = new URL(start);
    let request = init;
    for (let hops = 0; hops < 20; hops += 1) {
      if (url.href.startsWith(stopAt)) {
        return { url, status: 0, body: '', headers: new Headers() };
      }
      const headers = { ...request.headers, cookie: cookiesFor(url), 'accept-language': 'en' };
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) keep(line, url);
      const body = await response.text();
      const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1];
      const location = response.headers.get('location') ?? (refresh && unescape(refresh)) ?? null;
      if (location === null)
        return { url, status: response.status, body, headers: response.headers };
      url = new URL(location, url);
      request = {};
    }
    throw new Error(`redirected too often, at last to ${url.href}`);
  };
  return {
    open,
    async submit(page, act, fields = {}) {
      const form = formsOf(page.body).find(({ inputs }) => inputs['act'] === act || act === '');
      if (form === undefined) throw new Error(`the page has no form "${act}": ${page.body}`);
      const body = new URLSearchParams({ ...form.inputs, ...fields });
      return open(new URL(form.action || page.url.href, page.url).href, { method: 'POST', body });
    },
    cookies: () => jar.map(({ name }) => name),
    cookieHeader: (url) => cookiesFor(new URL(url)),
  };
}

export function formsOf(html: string): { action: string; inputs: Record<string, string> }[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, head = '', inner = '']) => ({
      action: unescape(/action="([^"]*)"/.exec(head)?.[1] ?? ''),
      inputs: Object.fromEntries(
        [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, attributes = '']) => [
          /name="([^"]*)"/.exec(attributes)?.[1] ?? '',
          unescape(/value="([^"]*)"/.exec(attributes)?.[1] ?? ''),
        ]),
      ),
    }),
  );
}

function unescape(text: string): string {
  return text
    .replaceAll(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
