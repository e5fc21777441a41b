import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { awaitSignInMessage, popupBlocked } from '../popup/await-sign-in-message.ts';
import { isInsideMessenger, openPopup, type PopupSize } from '../popup/open-popup.ts';
import type { User } from '../profile/user.ts';
import { prepareEnterpriseLogin } from './prepare-enterprise-login.ts';

export interface EnterpriseLogin {
  /** One of `Protocol`. */
  readonly protocol: string;
  readonly identifier: string;
  /** A small window unless said otherwise. */
  readonly popup?: boolean | undefined;
  readonly position?: PopupSize | undefined;
}

const WITHOUT_WINDOWS = /MicroMessenger/;

/**
 * Signs in at an enterprise's own provider, in a window. Inside a messenger the page itself goes there: the promise is
 * then null, and the page about to leave.
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
  // Opened before anything is awaited: afterwards the browser no longer sees the person's click.
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
    // An empty window that leads nowhere helps nobody; one at the provider may still explain itself.
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
