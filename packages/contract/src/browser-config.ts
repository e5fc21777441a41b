/** GET `/api/config`: what the browser must know before anyone signs in. */
export interface BrowserConfig {
  readonly productName: string;
  readonly version: string;
  readonly environment: string;
  readonly providerSet: 'cognito' | 'authing';
  readonly region: string;
  /** Empty with the provider set `authing`, as the client id. */
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** Null: the address that AWS gives the pool's region. */
  readonly userPoolEndpoint: string | null;
  /** Null: this installation has no cloud credentials for the person, and so no live channel. */
  readonly identityPoolId: string | null;
  /** Null: the address that AWS gives the pool's region. */
  readonly identityPoolEndpoint: string | null;
  /** The external provider of the set `authing`; null with `cognito`. */
  readonly authing: { readonly appId: string; readonly host: string } | null;
  /**
   * The provider at `/idp`, for programs that use it: its application host relative to the page, the application of the
   * first start, its user pool and redirect addresses. Null where people sign in elsewhere.
   */
  readonly provider: {
    readonly host: string;
    readonly appId: string;
    readonly userPoolId: string;
    readonly redirectUris: readonly string[];
  } | null;
  /** Path of the live channel's WebSocket on this origin; null: there is none. */
  readonly livePath: string | null;
  readonly languages: readonly ('en' | 'zh-CN')[];
  readonly defaultLanguage: 'en' | 'zh-CN';
  readonly supportedCountries: readonly string[];
  readonly map: {
    /** Whether borders and names of countries are drawn. */
    readonly borders: boolean;
    /** The operator's own raster tiles, with `{z}`, `{x}` and `{y}` in the address. */
    readonly tiles: {
      readonly url: string;
      readonly maxZoom: number;
      /** Plain text. */
      readonly attribution: string;
    } | null;
  };
  readonly codeLength: number;
  /** Where codes can be read on this machine; null outside the embedded default. */
  readonly outboxUrl: string | null;
  /** Where the tokens are kept. */
  readonly tokenStorage: 'local' | 'cookie';
}
