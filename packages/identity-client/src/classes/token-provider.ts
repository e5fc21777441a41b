import type { IdentityClientOptions } from '../core/options.ts';
import { createSessionStore, type SessionStore } from '../core/session-store.ts';
import { defaultStorage } from '../core/storage.ts';
import type { User } from '../profile/user.ts';

/** Stores the current user and token. Applications can replace it by their own class. */
export class AuthenticationTokenProvider implements SessionStore {
  readonly options: IdentityClientOptions;
  readonly #store: SessionStore;

  constructor(options: IdentityClientOptions) {
    this.options = options;
    this.#store = createSessionStore(options.storage ?? defaultStorage());
    if (options.token) this.#store.setToken(options.token);
  }

  getToken(): string | null {
    return this.#store.getToken();
  }

  setToken(token: string | null | undefined): void {
    this.#store.setToken(token);
  }

  getUser(): User | null {
    return this.#store.getUser();
  }

  setUser(user: User): void {
    this.#store.setUser(user);
  }

  clearUser(): void {
    this.#store.clearUser();
  }
}
