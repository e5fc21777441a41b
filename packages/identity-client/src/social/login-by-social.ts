import { urlOf } from '../core/base-url.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { randomText } from '../core/random-text.ts';
import { awaitSignInMessage, popupBlocked } from '../popup/await-sign-in-message.ts';
import { isInsideMessenger, openPopup, type PopupSize } from '../popup/open-popup.ts';
import type { User } from '../profile/user.ts';

const UUID_LENGTH = 20;

export interface SocialLogin {
  /** One of `SocialConnectionProvider`, or the identifier of a custom connection. */
  readonly provider: string;
  /** Whether to open a small window. Default: true. */
  readonly popup?: boolean | undefined;
  readonly position?: PopupSize | undefined;
  readonly authorizationParams?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly customData?: Readonly<Record<string, unknown>> | undefined;
  readonly withIdentities?: boolean | undefined;
  readonly withCustomData?: boolean | undefined;
  readonly protocol?: string | undefined;
  readonly uuid?: string | undefined;
  readonly targetUrl?: string | undefined;
  readonly relayMethod?: string | undefined;
  readonly guardVersion?: string | undefined;
}

/**
 * Signs in with a social account, in a window. Inside an in-app browser, the page itself is
 * redirected, and the promise resolves to null.
 */
export async function loginBySocial(
  client: IdentityClient,
  login: SocialLogin,
  { signal }: CallOptions = {},
): Promise<User | null> {
  signal?.throwIfAborted();
  const uuid = login.uuid ?? randomText(UUID_LENGTH);
  const url = buildSocialUrl(client, { ...login, uuid });
  if (isInsideMessenger()) {
    const query = new URLSearchParams({
      redirected: '1',
      from_hosted_guard: '1',
      redirect_url: `${client.baseUrl}/interaction/oidc/${encodeURIComponent(uuid)}/login`,
    });
    window.location.href = `${url}&${query.toString()}`;
    return null;
  }
  const popup = login.popup === false ? window.open(url) : openPopup(url, login.position);
  if (popup === null) throw popupBlocked(client);
  return awaitSignInMessage(client, { eventType: 'socialLogin', popup, signal });
}

/** URL of the sign-in window. */
export function buildSocialUrl(client: IdentityClient, login: SocialLogin): string {
  const path = `/connections/social/${login.provider}`;
  return urlOf(client.baseUrl, path, {
    from_guard: 1,
    app_id: client.options.appId,
    authorization_params: asJson(login.authorizationParams),
    with_identities: login.withIdentities ? 1 : 0,
    with_custom_data: login.withCustomData ? 1 : 0,
    protocol: login.protocol ?? 'oidc',
    uuid: login.uuid ?? randomText(UUID_LENGTH),
    target_url: login.targetUrl,
    relay_method: login.relayMethod,
    guard_version: login.guardVersion,
    context: asJson(login.context),
    tenant_id: client.options.tenantId,
    custom_data: asJson(login.customData),
  });
}

function asJson(value: object | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
