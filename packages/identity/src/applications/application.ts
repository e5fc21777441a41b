/** A program that lets people sign in here. */
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
  /** `required`: everybody is asked for a second step who signs in to it. */
  readonly secondStep: 'as-provider' | 'required';
  /** Whether people may make an account at it by themselves; `as-provider`: as the provider's settings say. */
  readonly registration: 'as-provider' | 'open' | 'closed';
  /** Origins whose pages may call, beside those of its addresses. */
  readonly allowedOrigins: readonly string[];
}

/** `oidc`: OpenID Connect and OAuth 2. */
export type ApplicationProtocol = 'oidc' | 'cas' | 'saml';

/** What administrators decide may be left out: then everything is as it was before anybody decided. */
export type SavedApplication = Omit<
  Application,
  'protocols' | 'secondStep' | 'registration' | 'allowedOrigins'
> &
  Partial<Pick<Application, 'protocols' | 'secondStep' | 'registration' | 'allowedOrigins'>>;
