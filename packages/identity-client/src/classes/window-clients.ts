import type { IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';
import type { IdentityClientOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import { loginByEnterprise } from '../enterprise/login-by-enterprise.ts';
import type { PopupSize } from '../popup/open-popup.ts';
import type { User } from '../profile/user.ts';
import { loginBySocial, type SocialLogin } from '../social/login-by-social.ts';
import { shellClient, type RequestSender } from './shell-client.ts';

/** Callbacks for the outcome. Without `onError`, the promise rejects. */
export interface WindowCallbacks {
  readonly onSuccess?: (user: User) => void;
  readonly onError?: (code: number | string, message: string, data?: unknown) => void;
}

export type SocialOptions = Omit<SocialLogin, 'provider'> &
  WindowCallbacks & {
    /** Older name of `authorizationParams`, which takes precedence. */
    readonly authorization_params?: Readonly<Record<string, unknown>>;
  };

/** Sign-in with social accounts: `social` of the main client. */
export class SocialAuthenticationClient {
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient?: RequestSender,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  authorize(provider: string, options: SocialOptions = {}): Promise<void> {
    const authorizationParams = options.authorization_params ?? options.authorizationParams;
    const login = { ...options, provider, authorizationParams };
    return tell(loginBySocial(this.#client, login), options);
  }
}

/** Sign-in at an enterprise identity provider: `enterprise` of the main client. */
export class EnterpriseAuthenticationClient {
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient?: RequestSender,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  authorize(
    protocol: string,
    identifier: string,
    options: WindowCallbacks & { readonly popup?: boolean; readonly position?: PopupSize } = {},
  ): Promise<void> {
    const { popup, position } = options;
    const login = { protocol, identifier, popup, position };
    return tell(loginByEnterprise(this.#client, login), options);
  }
}

async function tell(outcome: Promise<User | null>, callbacks: WindowCallbacks): Promise<void> {
  let user: User | null;
  try {
    user = await outcome;
  } catch (error) {
    if (!callbacks.onError || !(error instanceof IdentityError)) throw error;
    callbacks.onError(error.code, error.message, error.data);
    return;
  }
  if (user) callbacks.onSuccess?.(user);
}
