import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { awaitSignInMessage, popupBlocked } from '../popup/await-sign-in-message.ts';
import { isInsideMessenger, openPopup } from '../popup/open-popup.ts';
import type { User } from '../profile/user.ts';
import { prepareEnterpriseLogin } from './prepare-enterprise-login.ts';
import type { EnterpriseLogin } from './enterprise-login.ts';

const WITHOUT_WINDOWS = /MicroMessenger/;

/**
 * Signs in at an enterprise identity provider, in a window. Inside an in-app browser, the page
 * itself is redirected, and the promise resolves to null.
 */
export async function loginByEnterprise(
  client: IdentityClient,
  login: EnterpriseLogin,
  { signal }: CallOptions = {},
): Promise<User | null> {
  signal?.throwIfAborted();
  if (isInsideMessenger(WITHOUT_WINDOWS)) {
    window.location.href = (await prepareEnterpriseLogin(client, login, { signal })).url;
    return null;
  }
  // Opened before the first await. Later, the browser no longer counts the user's click as the
  // cause and blocks it.
  const popup = login.popup === false ? window.open('') : openPopup('', login.position);
  if (popup === null) throw popupBlocked(client);
  try {
    const { url, state } = await prepareEnterpriseLogin(client, login, { signal });
    const message = awaitSignInMessage(client, {
      ...{ eventType: 'enterpriseLogin', popup, state, signal },
    });
    popup.location.href = url;
    return await message;
  } catch (error) {
    // Close an empty window. One that shows the provider's page may explain the error.
    if (isBlank(popup)) popup.close();
    throw error;
  }
}

function isBlank(popup: Window): boolean {
  try {
    return popup.location.href === 'about:blank';
  } catch {
    return false;
  }
}
