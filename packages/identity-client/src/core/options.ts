import type { Clock } from './clock.ts';
import type { Language } from './language.ts';
import type { SessionStore } from './session-store.ts';
import type { KeyValueStorage } from './storage.ts';

export type SignInProtocol = 'oidc' | 'oauth' | 'saml' | 'cas';
export type ClientAuthentication = 'client_secret_post' | 'client_secret_basic' | 'none';

/** The names of the headers that every request carries. */
export interface HeaderNames {
  readonly 'app-id': string;
  readonly 'tenant-id'?: string;
  readonly 'userpool-id': string;
  readonly 'request-from': string;
  readonly 'sdk-version': string;
  readonly lang: string;
}

/** How passwords are encrypted: `sm2` needs the provider's key, uncompressed, in hexadecimal; anything else is RSA. */
export interface Encryption {
  readonly type: string;
  readonly publicKey?: string;
}

export type EncryptFunction = (
  plainText: string,
  publicKey: string,
  encryption?: Encryption,
) => Promise<string>;

/** What an application says once, when it makes its client. */
export interface IdentityClientOptions {
  readonly appId?: string;
  /** Where every call goes, such as `https://people.example`. */
  readonly appHost?: string;
  /** @deprecated Say {@link appHost}. */
  readonly domain?: string;
  /** @deprecated Say {@link appHost}. */
  readonly host?: string;
  readonly tenantId?: string;
  readonly userPoolId?: string;
  /** For programs on servers only: a page cannot keep it. */
  readonly secret?: string;
  readonly redirectUri?: string;
  readonly protocol?: SignInProtocol;
  readonly tokenEndPointAuthMethod?: ClientAuthentication;
  readonly introspectionEndPointAuthMethod?: ClientAuthentication;
  readonly revocationEndPointAuthMethod?: ClientAuthentication;
  /** Milliseconds until a request is given up; 10,000 unless said. */
  readonly timeout?: number;
  readonly requestFrom?: string;
  readonly lang?: Language;
  /** A token that is kept from the start. */
  readonly token?: string;
  /** The provider's RSA key; without it, it is fetched once. */
  readonly publicKey?: string;
  readonly encryption?: Encryption;
  readonly encryptFunction?: EncryptFunction;
  readonly headers?: HeaderNames;
  /** Where Active Directory accounts are checked; without it, it is derived from the host. */
  readonly websocketHost?: string;
  /** Where events come from. */
  readonly socketUri?: string;
  /** How often a lost event socket is opened again; 5 unless said. */
  readonly retryTimes?: number;
  /** Origins besides the host's own whose pages may report a sign-in. */
  readonly messageOrigins?: readonly string[];
  /** Hears of every failure before it is thrown; what it throws is thrown instead. */
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

/** Options with every default filled in; language and origin of requests may change while the client lives. */
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

/** What is empty counts as not said. The caller's object stays as it is. */
export function resolveOptions(options: IdentityClientOptions): ResolvedOptions {
  const said = Object.entries(options).filter(([, value]) => Boolean(value));
  return { ...DEFAULT_OPTIONS, ...Object.fromEntries(said) };
}
