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
}
