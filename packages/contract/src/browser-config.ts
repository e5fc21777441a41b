/** Coordinate system of map tiles. */
export type MapDatum = 'wgs84' | 'gcj02';

/** GET `/api/config`: configuration that the browser needs before sign-in. */
export interface BrowserConfig {
  readonly productName: string;
  readonly version: string;
  readonly environment: string;
  readonly providerSet: 'cognito' | 'authing';
  readonly region: string;
  /** Empty with the provider `authing`, as is the client ID. */
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** Null for the AWS endpoint of the pool's region. */
  readonly userPoolEndpoint: string | null;
  /** Null if users get no cloud credentials. */
  readonly identityPoolId: string | null;
  /** Null for the AWS endpoint of the pool's region. */
  readonly identityPoolEndpoint: string | null;
  /** The external provider for `authing`; null with `cognito`. */
  readonly authing: { readonly appId: string; readonly host: string } | null;
  /**
   * The provider at `/idp`, for applications that use it: its application host relative to the
   * page, its first application, its user pool, and redirect URIs. Null if users sign in elsewhere.
   */
  readonly provider: {
    readonly host: string;
    readonly appId: string;
    readonly userPoolId: string;
    readonly redirectUris: readonly string[];
  } | null;
  /** Account of a hosted identity pool, for its `GetId`; null if it is not set. */
  readonly identityPoolAccountId: string | null;
  /** Path of the live channel's WebSocket on this origin; null if there is none. */
  readonly livePath: string | null;
  /**
   * The identity pool at `/identity` whose credentials sign the URL of the live channel; null if
   * those of `identityPoolId` do.
   */
  readonly livePoolId: string | null;
  readonly languages: readonly ('en' | 'zh-CN')[];
  readonly defaultLanguage: 'en' | 'zh-CN';
  readonly supportedCountries: readonly string[];
  readonly map: {
    /** Whether borders and country names are drawn. */
    readonly borders: boolean;
    /** The operator's raster tiles, with `{z}`, `{x}`, and `{y}` in the URL. */
    readonly tiles: {
      readonly url: string;
      readonly maxZoom: number;
      /** Plain text. */
      readonly attribution: string;
      readonly datum: MapDatum;
    } | null;
  };
  readonly codeLength: number;
  /** Whether users can sign in with a passkey. */
  readonly passkeys: boolean;
  /** URL of the local outbox, which shows sent codes; null outside the embedded default. */
  readonly outboxUrl: string | null;
  /** Storage of the tokens. */
  readonly tokenStorage: 'local' | 'cookie';
}
