import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { Config } from '../platform/config/config.ts';

/** The countries of the simulated fleet: the default of `DevicePortalSupportedCountriesParameter`. */
const fleetCountries = ['AU', 'BR', 'CN', 'DE', 'ES', 'FR', 'GB', 'IN', 'JP', 'PL', 'US', 'ZA'];

interface PoolFacts {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityPoolId: string;
}

export function browserConfigOf(config: Config, pool: PoolFacts): BrowserConfig {
  const onThisMachine = config.loopback && !config.production;
  return {
    productName: 'Device Portal',
    version: '0.1.0',
    environment: onThisMachine ? 'local' : config.region,
    providerSet: config.providerSet.kind,
    region: pool.region,
    userPoolId: pool.userPoolId,
    userPoolClientId: pool.userPoolClientId,
    // Relative to the page: the portal also answers under other names than the frozen one.
    userPoolEndpoint: '/identity',
    identityPoolId: pool.identityPoolId,
    identityPoolEndpoint: '/identity',
    livePath: '/mqtt',
    languages: ['en', 'zh-CN'],
    defaultLanguage: config.region.startsWith('cn-') ? 'zh-CN' : 'en',
    supportedCountries:
      config.supportedCountries.length > 0 ? config.supportedCountries : fleetCountries,
    codeLength: 6,
    outboxUrl: config.loopback && config.messenger.kind === 'outbox' ? '/outbox' : null,
    tokenStorage: 'local',
  };
}
