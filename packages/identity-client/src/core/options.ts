import type { Clock } from './clock.ts';
import type { Language } from './language.ts';
import type { SessionStore } from './session-store.ts';
import type { KeyValueStorage } from './storage.ts';

export type SignInProtocol = 'oidc' | 'oauth' | 'saml' | 'cas';
export type ClientAuthentication = 'client_secret_post' | 'client_secret_basic' | 'none';

/** Names of the headers that every request sends. */
export interface HeaderNames {
  readonly 'app-id': string;
  readonly 'tenant-id'?: string;
  readonly 'userpool-id': string;
  readonly 'request-from': string;
  readonly 'sdk-version': string;
  readonly lang: string;
}

/**
 * How passwords are encrypted. `sm2` requires the provider's public key, uncompressed and
 * hexadecimal. Any other value selects RSA.
 */
export interface Encryption {
  readonly type: string;
  readonly publicKey?: string;
}

export type EncryptFunction = (
  plainText: string,
  publicKey: string,
  encryption?: Encryption,
) => Promise<string>;

/** Options of an application's client. */
export interface IdentityClientOptions {
  readonly appId?: string;
  /** Base URL of all calls, for example `https://people.example`. */
  readonly appHost?: string;
  /** @deprecated Use {@link appHost}. */
  readonly domain?: string;
  /** @deprecated Use {@link appHost}. */
  readonly host?: string;
  readonly tenantId?: string;
  readonly userPoolId?: string;
  /** Only for server applications. A page cannot keep a secret. */
  readonly secret?: string;
  readonly redirectUri?: string;
  readonly protocol?: SignInProtocol;
  readonly tokenEndPointAuthMethod?: ClientAuthentication;
  readonly introspectionEndPointAuthMethod?: ClientAuthentication;
  readonly revocationEndPointAuthMethod?: ClientAuthentication;
  /** Request timeout in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  readonly requestFrom?: string;
  readonly lang?: Language;
  /** Initial token. */
  readonly token?: string;
  /** The provider's RSA public key. Fetched once if not set. */
  readonly publicKey?: string;
  readonly encryption?: Encryption;
  readonly encryptFunction?: EncryptFunction;
  readonly headers?: HeaderNames;
  /** Host for sign-ins with Active Directory. Derived from the host if not set. */
  readonly websocketHost?: string;
  /** URL of the event socket. */
  readonly socketUri?: string;
  /** Maximum number of reconnection attempts of the event socket in a row. Default: 5. */
  readonly retryTimes?: number;
  /**
   * Additional origins whose pages can report a sign-in. The origin of the host is always allowed.
   */
  readonly messageOrigins?: readonly string[];
  /** Called with each error before it is thrown. An error that the handler throws replaces it. */
  readonly onError?: (code: number | string | undefined, message: string, data?: unknown) => void;

  readonly fetch?: typeof globalThis.fetch;
  readonly storage?: KeyValueStorage;
  readonly session?: SessionStore;
  readonly clock?: Clock;
  readonly WebSocket?: typeof globalThis.WebSocket;
}

type Defaulted =
  | 'host'
  | 'protocol'
  | 'tokenEndPointAuthMethod'
  | 'introspectionEndPointAuthMethod'
  | 'revocationEndPointAuthMethod'
  | 'timeout'
  | 'requestFrom'
  | 'lang'
  | 'headers'
  | 'socketUri'
  | 'retryTimes';

/**
 * Options with all defaults. Language and request origin can change during the client's lifetime.
 */
export type ResolvedOptions = Omit<IdentityClientOptions, Defaulted> & {
  readonly [Name in Exclude<Defaulted, 'lang' | 'requestFrom'>]-?: NonNullable<
    IdentityClientOptions[Name]
  >;
} & { lang: Language; requestFrom: string };

const DEFAULT_OPTIONS = {
  protocol: 'oidc',
  tokenEndPointAuthMethod: 'client_secret_post',
  introspectionEndPointAuthMethod: 'client_secret_post',
  revocationEndPointAuthMethod: 'client_secret_post',
  timeout: 10_000,
  requestFrom: 'sdk',
  host: 'https://core.authing.cn',
  headers: {
    'app-id': 'x-authing-app-id',
    'tenant-id': 'x-authing-app-tenant-id',
    'userpool-id': 'x-authing-userpool-id',
    'request-from': 'x-authing-request-from',
    'sdk-version': 'x-authing-sdk-version',
    lang: 'x-authing-lang',
  },
  lang: 'zh-CN',
  socketUri: 'wss://openevent.authing.cn',
  retryTimes: 5,
} as const satisfies IdentityClientOptions;

/** Empty values are treated as not set. The caller's object is not changed. */
export function resolveOptions(options: IdentityClientOptions): ResolvedOptions {
  const said = Object.entries(options).filter(([, value]) => Boolean(value));
  return { ...DEFAULT_OPTIONS, ...Object.fromEntries(said) };
}
