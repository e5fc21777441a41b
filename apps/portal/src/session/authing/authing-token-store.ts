import type { PersonFacts } from '../to-session.ts';

/**
 * The two keys of the stored user record, which other clients of the provider on this origin share.
 */
const TOKEN_KEY = '_authing_token';
const USER_KEY = '_authing_user';

export interface KeyValueStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

/** The stored part of the provider’s sign-in response. */
export interface AuthingUser extends PersonFacts {
  readonly id: string;
  readonly token: string;
}

export interface AuthingTokenStore {
  token(): Promise<string | null>;
  user(): Promise<Partial<AuthingUser>>;
  store(user: AuthingUser): Promise<void>;
  storeToken(token: string): Promise<void>;
  clear(): Promise<void>;
}

export interface AuthingTokenStoreOptions {
  /** Local storage, or cookies if configured. */
  readonly tokens: KeyValueStorage;
  /** Too large for a cookie, and not secret. */
  readonly users: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/** Stores the user record: the token under one key, the user under the other. */
export function createAuthingTokenStore({
  tokens,
  users,
}: AuthingTokenStoreOptions): AuthingTokenStore {
  return {
    async token() {
      const token = await tokens.getItem(TOKEN_KEY);
      // Another client stored a user without a token.
      return token === null || /^(undefined|null|)$/.test(token) ? null : token;
    },
    async user() {
      try {
        return (JSON.parse(users.getItem(USER_KEY) ?? '{}') as Partial<AuthingUser> | null) ?? {};
      } catch {
        return {};
      }
    },
    async store({ token, ...user }) {
      await tokens.setItem(TOKEN_KEY, token);
      users.setItem(USER_KEY, JSON.stringify(user));
    },
    storeToken: (token) => tokens.setItem(TOKEN_KEY, token),
    async clear() {
      await tokens.removeItem(TOKEN_KEY);
      users.removeItem(USER_KEY);
    },
  };
}
