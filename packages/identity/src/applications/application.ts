/** An application that signs users in here. */
export interface Application {
  readonly appId: string;
  readonly userPoolId: string;
  readonly name: string;
  readonly description: string | null;
  readonly logo: string | null;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  readonly logoutRedirectUris: readonly string[];
  /** By which people may be signed in to it; the calls of the contract are for every application. */
  readonly protocols: readonly ApplicationProtocol[];
  /** `required`: all users need a second factor to sign in to it. */
  readonly secondStep: 'as-provider' | 'required';
  /** Whether users can register at it; `as-provider`: by the provider's settings. */
  readonly registration: 'as-provider' | 'open' | 'closed';
  /** Origins whose pages can call, in addition to those of its URIs. */
  readonly allowedOrigins: readonly string[];
}

/** `oidc`: OpenID Connect and OAuth 2. */
export type ApplicationProtocol = 'oidc' | 'cas' | 'saml';

/** Settings of administrators are optional; the defaults apply if they are not set. */
export type SavedApplication = Omit<
  Application,
  'protocols' | 'secondStep' | 'registration' | 'allowedOrigins'
> &
  Partial<Pick<Application, 'protocols' | 'secondStep' | 'registration' | 'allowedOrigins'>>;
