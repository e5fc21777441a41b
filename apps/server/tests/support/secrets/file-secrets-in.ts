import type { SecretStoreOptions } from '../../../src/installation/open-secret-store.ts';

/** Configuration of a server with its secrets in files of a data folder. */
export function fileSecretsIn(dataDir: string): SecretStoreOptions['config'] {
  const secrets = { place: { kind: 'file' }, region: 'us-east-1', endpoint: undefined } as const;
  return { dataDir, production: false, secrets };
}
