import type { StoredPasskey } from './passkey-store.ts';
import type { Passkey } from './passkeys.ts';

/** Without the credential. */
export function shownPasskey(stored: StoredPasskey): Passkey {
  const { id, name, aaguid, transports, isSynced, isBackedUp, createdAt, lastUsedAt } = stored;
  return { id, name, aaguid, transports, isSynced, isBackedUp, createdAt, lastUsedAt };
}
