import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { Config } from '../platform/config/config.ts';
import { browserProviderOf, type EmbeddedPools } from './browser-provider.ts';

export function browserConfigOf(
  config: Config,
  pool: EmbeddedPools,
  { provider, passkeys }: Pick<BrowserConfig, 'provider' | 'passkeys'>,
): Omit<BrowserConfig, 'supportedCountries'> {
  const onThisMachine = config.loopback && !config.production;
  return {
    productName: 'Device Portal',
    version: '0.1.0',
    environment: onThisMachine ? 'local' : config.region,
    ...browserProviderOf(config.providerSet, { pools: pool, region: config.region, provider }),
    provider,
    languages: ['en', 'zh-CN'],
    defaultLanguage: config.region.startsWith('cn-') ? 'zh-CN' : 'en',
    map: config.map,
    codeLength: 6,
    passkeys,
    // Only codes of the embedded user pool are sent by this server's messenger.
    outboxUrl:
      config.loopback &&
      config.messenger.kind === 'outbox' &&
      config.providerSet.source === 'embedded'
        ? '/outbox'
        : null,
    tokenStorage: config.tokenStorage,
  };
}
