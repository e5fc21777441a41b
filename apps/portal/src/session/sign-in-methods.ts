import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** An external provider at which users can sign in. */
export interface SignInMethod {
  readonly kind: 'social' | 'enterprise';
  readonly protocol: string;
  readonly identifier: string;
  /** The display name. */
  readonly name: string;
}

/** The sign-in methods of the application other than codes, as far as they are set up. */
export interface SignInMethods {
  readonly qrCode: boolean;
  readonly directories: readonly ('ldap' | 'ad')[];
  readonly buttons: readonly SignInMethod[];
}

interface PublicConfig {
  readonly qrcodeLoginEnabled?: unknown;
  readonly loginMethods?: unknown;
  readonly identityProviders?: unknown;
  readonly socialConnections?: unknown;
}

const ENTERPRISE = new Set(['oidc', 'oauth', 'saml', 'cas', 'azure-ad']);

/** GET `/api/v2/applications/{appId}/public-config`. Rejects if the provider does not respond. */
export async function loadSignInMethods({
  host,
  appId,
}: NonNullable<BrowserConfig['authing']>): Promise<SignInMethods> {
  const path = `/api/v2/applications/${encodeURIComponent(appId)}/public-config`;
  const response = await fetch(`${host}${path}`, { headers: { 'x-authing-app-id': appId } });
  if (!response.ok) throw new Error(`Sign-in methods request failed with HTTP ${response.status}.`);
  const { data } = (await response.json()) as { readonly data?: unknown };
  return readSignInMethods(data);
}

/** Ignores unknown methods. */
export function readSignInMethods(data: unknown): SignInMethods {
  const config = recordOf(data) as PublicConfig;
  const methods = listOf(config.loginMethods).map(String);
  return {
    qrCode: config.qrcodeLoginEnabled === true || methods.includes('app-qrcode'),
    directories: (['ldap', 'ad'] as const).filter((name) => methods.includes(name)),
    buttons: [
      ...listOf(config.identityProviders).flatMap((each) => methodOf('enterprise', each)),
      ...listOf(config.socialConnections).flatMap((each) => methodOf('social', each)),
    ],
  };
}

function methodOf(kind: SignInMethod['kind'], value: unknown): SignInMethod[] {
  const { protocol, identifier, displayName, name } = recordOf(value);
  if (typeof identifier !== 'string' || identifier === '') return [];
  const named = [displayName, name, identifier].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
  if (kind === 'social')
    return [{ kind, protocol: 'oauth', identifier, name: named ?? identifier }];
  if (typeof protocol !== 'string' || !ENTERPRISE.has(protocol)) return [];
  return [{ kind, protocol, identifier, name: named ?? identifier }];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
