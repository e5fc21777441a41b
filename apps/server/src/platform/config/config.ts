import type { Role, SettingValues } from './settings.ts';

/** Where PostgreSQL is. */
export type DatabaseConfig =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'external'; readonly url: string };

/** Through which broker devices are reached. */
export type BrokerConfig =
  | { readonly kind: 'embedded'; readonly port: number }
  | {
      readonly kind: 'external';
      readonly url: string;
      readonly caFile: string | undefined;
      readonly certificateFile: string | undefined;
      readonly keyFile: string | undefined;
    };

/** Which identity provider the browser speaks to; `embedded` providers are served by this installation. */
export type ProviderSetConfig =
  | { readonly kind: 'cognito' }
  | { readonly kind: 'authing'; readonly source: 'embedded' }
  | {
      readonly kind: 'authing';
      readonly source: 'external';
      readonly appId: string;
      readonly host: string;
      readonly issuer: string;
      readonly keySetUrl: string;
    };

/** How codes reach people. */
export type MessengerConfig =
  | { readonly kind: 'outbox' }
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string };

export type LimitsConfig = Pick<
  SettingValues,
  | 'requestBodyLimitBytes'
  | 'requestUrlLimitBytes'
  | 'mqttMessageLimitBytes'
  | 'targetListLimit'
  | 'invocationOutputLimitBytes'
  | 'outputPreviewCharacters'
  | 'collectedArtefactLimitBytes'
  | 'softwareArtefactLimitBytes'
  | 'signedLinkMaxSeconds'
>;

export type RetentionConfig = Pick<
  SettingValues,
  | 'auditTrailHotDays'
  | 'auditTrailColdDays'
  | 'apiCallDays'
  | 'geolocationDays'
  | 'invocationOutputDays'
>;

/** Everything the operator decides, checked: no other place reads the environment. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  /** True when only this machine can reach the portal. */
  readonly loopback: boolean;
  readonly port: number;
  /** As asked for now; what tokens carry is what was frozen at the first start. */
  readonly publicUrl: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute. */
  readonly reportDir: string;
  readonly fleet: number;
  readonly agent: boolean;
  readonly roles: ReadonlySet<Role>;
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  readonly trustProxy: boolean;
  readonly logLevel: SettingValues['logLevel'];
  readonly database: DatabaseConfig;
  readonly broker: BrokerConfig;
  readonly region: string;
  readonly providerSet: ProviderSetConfig;
  readonly sessionDurationMinutes: number;
  /** Empty: the countries of the simulated fleet. */
  readonly supportedCountries: readonly string[];
  readonly signInLimits: boolean;
  readonly messenger: MessengerConfig;
  readonly limits: LimitsConfig;
  readonly retention: RetentionConfig;
}
