/** GET `/api/config`: what the browser must know before anyone signs in. */
export interface BrowserConfig {
  readonly productName: string;
  readonly version: string;
  readonly environment: string;
  readonly providerSet: 'cognito' | 'authing';
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly userPoolEndpoint: string;
  readonly identityPoolId: string;
  readonly identityPoolEndpoint: string;
  /** Path of the live channel's WebSocket on this origin. */
  readonly livePath: string;
  readonly languages: readonly ('en' | 'zh-CN')[];
  readonly defaultLanguage: 'en' | 'zh-CN';
  readonly supportedCountries: readonly string[];
  readonly codeLength: number;
  /** Where codes can be read on this machine; null outside the embedded default. */
  readonly outboxUrl: string | null;
  /** Where the tokens are kept. */
  readonly tokenStorage: 'local' | 'cookie';
}
