import type { User } from '../profile/user.ts';
import type { KeyValueStorage } from './storage.ts';

/** Stores the current user and token. */
export interface SessionStore {
  getToken(): string | null;
  setToken(token: string | null | undefined): void;
  getUser(): User | null;
  /** Sets the current user. */
  setUser(user: User): void;
  clearUser(): void;
}

const TOKEN_KEY = '_authing_token';
const USER_KEY = '_authing_user';
/** Values that older clients stored for a user without a token. */
const NO_TOKEN = new Set(['', 'null', 'undefined']);

/** Stores the session under two keys, so that all clients of a page share it. */
export function createSessionStore(storage: KeyValueStorage): SessionStore {
  const getToken = (): string | null => {
    const token = storage.getItem(TOKEN_KEY);
    return token === null || NO_TOKEN.has(token) ? null : token;
  };
  const setToken: SessionStore['setToken'] = (token) => {
    if (token) storage.setItem(TOKEN_KEY, token);
    else storage.removeItem(TOKEN_KEY);
  };
  const getUser = (): User | null => parseUser(storage.getItem(USER_KEY));
  return {
    getToken,
    setToken,
    getUser,
    setUser: (user) => {
      // A reply without a token keeps the token of the same user, but must not leave it to another
      // user.
      if (user.token || getUser()?.id !== user.id) setToken(user.token);
      storage.setItem(USER_KEY, JSON.stringify(user));
    },
    clearUser: () => {
      storage.removeItem(TOKEN_KEY);
      storage.removeItem(USER_KEY);
    },
  };
}

function parseUser(text: string | null): User | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as User)
      : null;
  } catch {
    return null;
  }
}
