import type { SecretEngine } from '../../../src/platform/secrets/secret-engine.ts';

/** Secrets in memory. */
export function createMemorySecrets(): SecretEngine {
  const kept = new Map<string, Buffer>();
  return {
    placeOf: (name) => name,
    remedy: 'Start with the same secrets.',
    refreshMs: 2_000,
    read: async (name) => kept.get(name),
    async create(name, secret) {
      const existing = kept.get(name) ?? Buffer.from(secret);
      kept.set(name, existing);
      return existing;
    },
    async replace(name, secret) {
      kept.set(name, Buffer.from(secret));
    },
    async remove(name) {
      kept.delete(name);
    },
  };
}
