import type { Role, SettingValues } from './settings.ts';

/** Where PostgreSQL is. */
export type DatabaseConfig =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'external';
      readonly url: string;
      /** Of the role that owns the tables, for migrations and restore. */
      readonly ownerUrl?: string;
    };

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

/** A user pool at AWS, or behind an endpoint that speaks its protocol. */
export interface HostedPoolConfig {
  readonly kind: 'cognito';
  readonly source: 'hosted';
  /** The pool's own, which may differ from the deployment's. */
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** Undefined: the region's own. */
  readonly userPoolEndpoint: string | undefined;
  readonly identityPool:
    | { readonly id: string; readonly region: string; readonly endpoint: string | undefined }
    | undefined;
}

/** Which identity provider the browser speaks to; `embedded` providers are served by this installation. */
export type ProviderSetConfig =
  | { readonly kind: 'cognito'; readonly source: 'embedded' }
  | HostedPoolConfig
  | { readonly kind: 'authing'; readonly source: 'embedded' }
  | {
      readonly kind: 'authing';
      readonly source: 'external';
      readonly appId: string;
      readonly host: string;
      readonly issuer: string;
      readonly keySetUrl: string;
    };

/** What an operator adds to the rules by which tokens are checked. */
export interface TokenCheckConfig {
  /** Only members of one of them are let in; empty: everybody. */
  readonly groups: readonly string[];
  readonly graceSeconds: number;
}

/** How the embedded user pool signs people in. */
export interface SignInConfig {
  readonly refreshTokenRotation: boolean;
  readonly refreshTokenGraceSeconds: number;
  readonly signingKeyMaxAgeDays: number;
  /** Whether sign-in keeps secret who exists. */
  readonly hideUsers: boolean;
  /** Whether the identity pool serves browsers before sign-in. */
  readonly guests: boolean;
  /** Whether the identity pool refuses tokens of sign-ins that have ended. */
  readonly serverSideTokenCheck: boolean;
  /** Absolute path of a module with own challenge triggers. */
  readonly triggersFile: string | undefined;
}

/** How messages reach people. */
export type MessengerConfig =
  | { readonly kind: 'outbox' }
  | {
      readonly kind: 'smtp';
      readonly url: string;
      readonly from: string;
      /** Whether a mail server without TLS is spoken to in clear. */
      readonly allowClear: boolean;
      /** Undefined: text messages are not sent. */
      readonly smsWebhook: { readonly url: string; readonly secret: string } | undefined;
    };

export type LimitsConfig = Pick<
  SettingValues,
  | 'requestBodyLimitBytes'
  | 'requestUrlLimitBytes'
  | 'mqttMessageLimitBytes'
  | 'mqttConnectionsPerAddress'
  | 'targetListLimit'
  | 'airBlastApprovalDevices'
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
  | 'softwareHistoryDays'
  | 'invocationOutputDays'
  | 'exportDays'
>;

/** How the audit trail is proven. */
export interface AuditConfig {
  /** JSON file of further trusted keys, absolute. */
  readonly keysFile: string | undefined;
  readonly anchors: AnchorsConfig;
}

/** Where blocks of the audit trail are kept outside the database; files are absolute. */
export interface AnchorsConfig {
  readonly file: string | undefined;
  readonly syslog: { readonly url: string; readonly caFile: string | undefined } | undefined;
  /** Trusted time-stamp authorities, also to check tokens where none is asked any more. */
  readonly tsaCaFile: string | undefined;
  readonly tsa:
    | { readonly url: string; readonly caFile: string; readonly everyMs: number }
    | undefined;
}

/** Where named parameters are kept. */
export type ParameterStoreConfig =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'ssm'; readonly region: string; readonly endpoint: string | undefined };

/** What maps in the browser are drawn on. */
export interface MapConfig {
  readonly borders: boolean;
  readonly tiles: {
    readonly url: string;
    readonly maxZoom: number;
    readonly attribution: string;
  } | null;
}

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
  /** Public keys for which backups are encrypted. */
  readonly backupRecipients: readonly string[];
  /** By secret: for how many days a job leaves it in use; 0: as long as nobody replaces it. */
  readonly secretMaxAgeDays: {
    readonly 'installation-key': number;
    readonly 'device-authority': number;
    readonly runs: number;
    readonly releases: number;
    readonly audit: number;
  };
  readonly fleet: number;
  readonly agent: boolean;
  readonly roles: ReadonlySet<Role>;
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  /** Addresses and networks of the proxies whose `X-Forwarded-*` headers are believed; empty: nobody's. */
  readonly trustedProxies: readonly string[];
  /** Opens `/readyz` and `/metrics` to programs elsewhere. */
  readonly operationsToken: string | undefined;
  readonly logLevel: SettingValues['logLevel'];
  readonly database: DatabaseConfig;
  readonly broker: BrokerConfig;
  readonly region: string;
  readonly providerSet: ProviderSetConfig;
  /** JSON file of the accounts elsewhere with which people sign in at `/idp`. */
  readonly idpConnectionsFile: string | undefined;
  readonly idpSecondStep: SettingValues['idpSecondStep'];
  readonly idpFace: SettingValues['idpFace'];
  readonly idpRealName: SettingValues['idpRealName'];
  /** Of the shortest new password at `/idp`, in characters. */
  readonly idpPasswordLength: number;
  /** Email domains whose people may register for the portal itself. */
  readonly idpRegistrationDomains: readonly string[];
  /** From where `/idp` may fetch photos of faces. */
  readonly idpPhotoOrigins: readonly string[];
  readonly tokenStorage: SettingValues['tokenStorage'];
  readonly parameterStore: ParameterStoreConfig;
  readonly sessionDurationMinutes: number;
  /** Empty: the countries of the simulated fleet. */
  readonly supportedCountries: readonly string[];
  /** Null: addresses of devices say nothing; else an MMDB file instead of the bundled one, absolute. */
  readonly addressCountries: { readonly file: string | undefined } | null;
  readonly map: MapConfig;
  readonly signInLimits: boolean;
  readonly tokenCheck: TokenCheckConfig;
  readonly signIn: SignInConfig;
  readonly messenger: MessengerConfig;
  readonly limits: LimitsConfig;
  readonly retention: RetentionConfig;
  readonly audit: AuditConfig;
}
