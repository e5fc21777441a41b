import { FIRST_AUTHORITY_FILE } from '../gateway/certificates/device-authority-ring.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { secretFiles } from './secret-fingerprints.ts';

/** Names of the secrets that all servers share. Others, such as the broker's certificate, are each server's own. */
export const sharedSecrets: readonly string[] = [
  ...Object.values(secretFiles),
  FIRST_AUTHORITY_FILE,
];

/** Shared secrets in one store, and a server's own files, such as the broker's certificate, in another. */
export function besideFiles(shared: SecretEngine, files: SecretEngine): SecretEngine {
  const storeOf = (name: string): SecretEngine => (sharedSecrets.includes(name) ? shared : files);
  return {
    read: (name) => storeOf(name).read(name),
    create: (name, secret) => storeOf(name).create(name, secret),
    replace: (name, secret) => storeOf(name).replace(name, secret),
    remove: (name) => storeOf(name).remove(name),
    placeOf: (name) => storeOf(name).placeOf(name),
    remedy: shared.remedy,
    refreshMs: shared.refreshMs,
  };
}
