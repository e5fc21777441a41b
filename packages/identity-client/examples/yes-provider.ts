import { generateKeyPairSync } from 'node:crypto';

export interface YesReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const USER = { id: 'u-1', nickname: 'Bob', email: 'bob@example.com', token: 'example-token' };
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><rect width="240" height="240" fill="#ddd"/><text x="60" y="125">scan me</text></svg>';

/** Example provider that checks nothing: every sign-in succeeds as the user Bob. */
export function createYesProvider(): (url: URL, body: string) => YesReply {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  let looks = 0;
  let nonce = '';
  const plain: Readonly<Record<string, (url: URL) => unknown>> = {
    '/api/v2/.well-known': () => ({ publicKey: pem }),
    '/api/v2/qrcode/gene': (url) => {
      looks = 0;
      return { random: 'r-1', url: `${url.origin}/picture` };
    },
    '/api/v2/qrcode/check': () => {
      looks += 1;
      return {
        random: 'r-1',
        status: Math.min(looks - 1, 2),
        userInfo: { nickname: 'Bob' },
        ticket: 't',
      };
    },
    '/api/v2/applications/example/public-config': (url) => {
      const config = { casConnectionLoginUrl: `${url.origin}/window?enterpriseLogin` };
      return { identityProviders: [{ protocol: 'cas', identifier: 'cas1', config }] };
    },
  };
  return (url, body) => {
    const { pathname, searchParams } = url;
    if (pathname === '/graphql/v2') return { body: { data: { [fieldOf(body)]: USER } } };
    if (pathname === '/picture')
      return { headers: { 'content-type': 'image/svg+xml' }, body: PICTURE };
    if (pathname.startsWith('/connections/social/')) return { body: windowPage('socialLogin') };
    if (pathname === '/window') return { body: windowPage('enterpriseLogin') };
    if (pathname === '/oidc/auth') {
      nonce = searchParams.get('nonce') ?? '';
      const query = new URLSearchParams({ code: 'c-1', state: searchParams.get('state') ?? '' });
      const location = `${searchParams.get('redirect_uri')}?${query.toString()}`;
      return { status: 302, headers: { location }, body: '' };
    }
    if (pathname === '/oidc/token')
      return { body: { access_token: 'at', id_token: idToken(nonce) } };
    return { body: { code: 200, data: plain[pathname]?.(url) ?? USER } };
  };
}

/** The root field of a GraphQL document. */
function fieldOf(body: string): string {
  const { query } = JSON.parse(body) as { readonly query: string };
  return /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
}

function windowPage(eventType: string): string {
  const message = { code: 200, data: USER, event: { source: 'authing', eventType } };
  return `<script>opener.postMessage(${JSON.stringify(message)}, location.origin); close();</script>`;
}

function idToken(nonce: string): string {
  const claims = { sub: 'u-1', aud: 'example', nonce };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.none`;
}
