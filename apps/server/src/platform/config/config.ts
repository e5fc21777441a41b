import type { SecretsPlace } from './secrets-place.ts';
import type { MapDatum } from '@deviceportal/contract/browser-config';
import type { StepUpCodeRule } from '@deviceportal/contract/step-up';
import type { DataSourceView, TableSource } from '@deviceportal/contract/data-sources';
import type { Role, SettingValues } from './settings.ts';

/** An external PostgreSQL server, and a database on it. */
export interface DatabaseServer {
  /** A folder for a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly name: string;
  /** PEM certificate authorities, absolute; undefined for those that Node.js trusts. */
  readonly caFile: string | undefined;
}

/** PostgreSQL connection. The owner is the role that owns the tables, for migrations and restore. */
export type DatabaseConfig =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly ownerUrl?: string;
      /** PEM certificate authorities, absolute. */
      readonly caFile?: string;
    }
  | {
      readonly kind: 'secret';
      readonly server: DatabaseServer;
      /** Name or ARN of a secret with user and password. */
      readonly secretId: string;
      readonly ownerSecretId?: string;
      readonly secrets: { readonly region: string; readonly endpoint: string | undefined };
    }
  | {
      readonly kind: 'iam';
      readonly server: DatabaseServer;
      readonly user: string;
      readonly ownerUser?: string;
      readonly region: string;
    };

/** A folder of a bucket in S3, or in a store with its API. */
export interface S3FilesConfig {
  readonly kind: 's3';
  readonly bucket: string;
  /** Segments of the folder. */
  readonly prefix: readonly string[];
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
}

/** A place for files. */
export type FilesConfig =
  | S3FilesConfig
  /** Absolute. */
  | { readonly kind: 'directory'; readonly directory: string };

/** Scheduled backups. */
export interface BackupsConfig {
  readonly place: FilesConfig;
  /** Time between two complete backups. */
  readonly everyMs: number;
  /** Time between two transfers of changes of the embedded database. */
  readonly changesEveryMs: number;
  readonly keptDays: number;
}

/** Tables outside the portal. */
export interface TablesConfig {
  readonly region: string;
  /** Undefined for the region's endpoints. */
  readonly endpoint: string | undefined;
  /** Names of DynamoDB tables; undefined for the database. */
  readonly names: Readonly<Record<TableSource, string | undefined>>;
}

/** What answers a data source. */
export interface DataSourceConfig extends Pick<
  DataSourceView,
  'source' | 'setting' | 'place' | 'systems'
> {
  /** False for a part that the chosen identity provider does not have. */
  readonly isUsed: boolean;
}

/** An Athena workgroup, and the table of archived months in the Glue Data Catalog. */
export interface AnalyticsConfig {
  readonly workgroup: string;
  readonly table: { readonly database: string; readonly name: string };
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
}

/** What the devices connect to. */
export type BrokerConfig =
  | { readonly kind: 'embedded'; readonly port: number }
  | {
      readonly kind: 'external';
      /** At least one. */
      readonly urls: readonly string[];
      /** `cluster`: one connection receives everything. `each`: every broker has its own devices. */
      readonly nodes: 'cluster' | 'each';
      readonly caFile: string | undefined;
      readonly certificateFile: string | undefined;
      readonly keyFile: string | undefined;
    }
  | {
      readonly kind: 'nats';
      /** Nodes of one cluster; at least one. */
      readonly urls: readonly string[];
      readonly issuerFile: string;
      readonly caFile: string | undefined;
      readonly certificateFile: string | undefined;
      readonly keyFile: string | undefined;
    }
  | {
      /** AWS IoT Core. Messages of devices arrive by the device queue. */
      readonly kind: 'iot';
      /** Name of the policy of device certificates. */
      readonly policy: string;
      readonly region: string;
      /** Undefined for the endpoints of the region. */
      readonly endpoint: string | undefined;
      readonly dataEndpoint: string | undefined;
      /** Authorities of the certificate of AWS IoT; undefined for those of Amazon. */
      readonly caFile: string | undefined;
    };

/** What devices are told about their connection. */
export interface DeviceConnectionConfig {
  /** Undefined for the embedded broker at the public host. */
  readonly brokerUrls: readonly string[] | undefined;
  readonly subscriptionQos: 0 | 1;
  readonly heartbeatSeconds: number;
  /** Undefined if every self-check is reported. */
  readonly selfCheckSeconds: number | undefined;
}

/** A user pool at AWS or at a compatible endpoint. */
export interface HostedPoolConfig {
  readonly kind: 'cognito';
  readonly source: 'hosted';
  /** The pool's region, which can differ from the deployment's. */
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** Undefined for the region's endpoint. */
  readonly userPoolEndpoint: string | undefined;
  readonly identityPool:
    | {
        readonly id: string;
        readonly region: string;
        readonly endpoint: string | undefined;
        readonly accountId: string | undefined;
      }
    | undefined;
}

/** Identity provider of the browser; `embedded` providers are served by this installation. */
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

/** Additional rules for token checks. */
export interface TokenCheckConfig {
  /** Only members of these groups are admitted; empty for all users. */
  readonly groups: readonly string[];
  readonly graceSeconds: number;
}

/** Sign-in at the embedded user pool. */
export interface SignInConfig {
  /** Administrators can do nothing else before they have added a passkey. */
  readonly administratorPasskeys: boolean;
  readonly refreshTokenRotation: boolean;
  readonly refreshTokenGraceSeconds: number;
  readonly signingKeyMaxAgeDays: number;
  /** Whether sign-in hides which accounts exist. */
  readonly hideUsers: boolean;
  /** Whether the identity pool serves browsers before sign-in. */
  readonly guests: boolean;
  /** Whether the identity pool rejects tokens of ended sign-ins. */
  readonly serverSideTokenCheck: boolean;
  /** Absolute path of a module with custom challenge triggers. */
  readonly triggersFile: string | undefined;
  /** When codes by email or text message count as a step-up. */
  readonly stepUpCodes: StepUpCodeRule;
}

/** Delivery of messages. */
export type MessengerConfig =
  | { readonly kind: 'outbox' }
  | {
      readonly kind: 'delivery';
      readonly email: EmailConfig;
      /** Undefined if text messages are not sent. */
      readonly sms: SmsConfig | undefined;
    };

export type EmailConfig = { readonly from: string } & (
  | {
      readonly kind: 'smtp';
      readonly url: string;
      /** Whether a mail server without TLS is used without encryption. */
      readonly allowClear: boolean;
    }
  | { readonly kind: 'ses'; readonly region: string; readonly endpoint: string | undefined }
);

export type SmsConfig =
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | {
      readonly kind: 'sns';
      readonly region: string;
      readonly endpoint: string | undefined;
      readonly senderId: string | undefined;
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
  | 'collectedArtifactLimitBytes'
  | 'softwareArtifactLimitBytes'
  | 'apiTokenMaxDays'
  | 'signedLinkMaxSeconds'
>;

/** Reviews of access that start by schedule. */
export interface AccessReviewConfig {
  /** 0 for none. */
  readonly everyDays: number;
  readonly overdue: 'keep' | 'remove';
}

export type RetentionConfig = Pick<
  SettingValues,
  | 'auditTrailHotDays'
  | 'auditTrailColdDays'
  | 'apiCallDays'
  | 'geolocationDays'
  | 'metricSampleDays'
  | 'metricQuarterHourDays'
  | 'metricDayDays'
  | 'softwareHistoryDays'
  | 'invocationOutputDays'
  | 'terminalRecordingDays'
  | 'deviceSessionDays'
  | 'exportDays'
>;

/** Seconds between samples of a device, and between its messages with them. */
export interface ConnectionMetrics {
  readonly sampleSeconds: number;
  readonly sendSeconds: number;
}

/** Proof of the audit trail. */
export interface AuditConfig {
  /** JSON file of additional trusted keys, absolute. */
  readonly keysFile: string | undefined;
  readonly anchors: AnchorsConfig;
  readonly streams: StreamsConfig;
}

/** Receivers of all events of the audit trail; file paths are absolute. */
export interface StreamsConfig {
  readonly syslog: { readonly url: string; readonly caFile: string | undefined } | undefined;
  readonly https:
    | {
        readonly url: string;
        readonly format: 'ndjson' | 'json';
        readonly authorization: string | undefined;
        readonly signingSecret: string | undefined;
      }
    | undefined;
  readonly showsPeople: boolean;
}

/** Anchors outside the database that store blocks of the audit trail; file paths are absolute. */
export interface AnchorsConfig {
  readonly file: string | undefined;
  readonly syslog: { readonly url: string; readonly caFile: string | undefined } | undefined;
  readonly bucket: AnchorBucketConfig | undefined;
  /**
   * Trusted time-stamp authorities, also to verify existing tokens if none is configured anymore.
   */
  readonly tsaCaFile: string | undefined;
  readonly tsa:
    | { readonly url: string; readonly caFile: string; readonly everyMs: number }
    | undefined;
}

/** A bucket of S3 with object lock. */
export interface AnchorBucketConfig {
  readonly bucket: string;
  /** Beginning of the keys, empty or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly lockDays: number;
  readonly everyMs: number;
}

/** A role in AWS. */
export interface CloudRoleConfig {
  readonly arn: string;
  readonly region: string;
  readonly endpoint: string | undefined;
}

/** Place of the secrets of the installation. */
export interface SecretsConfig {
  readonly place: SecretsPlace;
  /** Region of a place in AWS that does not contain one. */
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
}

/** Export of traces and metrics. */
export interface TelemetryConfig {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly traceShare: number;
}

/** Source of named parameters. */
export type ParameterStoreConfig =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'ssm'; readonly region: string; readonly endpoint: string | undefined };

/** Managed instances of AWS Systems Manager as devices. */
export interface SystemsManagerConfig {
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
  /** Only instances with all of these tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Keys of tags that become labels; a key can end with `*`. */
  readonly labels: readonly string[];
  /** SQS queue of status changes; undefined if they are polled. */
  readonly queue: { readonly url: string; readonly region: string } | undefined;
  /** Bucket for complete output. */
  readonly output: { readonly bucket: string; readonly prefix: readonly string[] } | undefined;
}

/** Base map in the browser. */
export interface MapConfig {
  readonly borders: boolean;
  readonly tiles: {
    readonly url: string;
    readonly maxZoom: number;
    readonly attribution: string;
    readonly datum: MapDatum;
  } | null;
}

/** Where the web pages of devices are served. */
export interface WebPagesConfig {
  /** `https://*.pages.example.net`; undefined for `*.localhost` at the port. */
  readonly origin: string | undefined;
  /** 0 for a free one. */
  readonly port: number;
}

/** The validated operator configuration. No other module reads the environment. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  /** True if the portal can be reached only from this machine. */
  readonly loopback: boolean;
  readonly port: number;
  /** As currently configured. Tokens contain the value of the first start. */
  readonly publicUrl: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Folder of the programs of an earlier PostgreSQL, to upgrade the embedded database. */
  readonly earlierPostgres: string | undefined;
  readonly files: FilesConfig;
  readonly reports: FilesConfig;
  /** Public keys for which backups are encrypted. */
  readonly backupRecipients: readonly string[];
  /** Undefined if no backups are scheduled. */
  readonly backups: BackupsConfig | undefined;
  readonly secrets: SecretsConfig;
  /** Days after which a job rotates each secret; 0 for manual rotation only. */
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
  /**
   * Addresses and networks of the proxies whose `X-Forwarded-*` headers are trusted; empty for
   * none.
   */
  readonly trustedProxies: readonly string[];
  /** Grants programs on other machines access to `/readyz` and `/metrics`. */
  readonly operationsToken: string | undefined;
  readonly logLevel: SettingValues['logLevel'];
  /** Undefined if nothing is exported. */
  readonly telemetry: TelemetryConfig | undefined;
  readonly database: DatabaseConfig;
  readonly tables: TablesConfig;
  /** All of them, in the order in which they are shown. */
  readonly dataSources: readonly DataSourceConfig[];
  /** Undefined if servers answer questions on archived months themselves. */
  readonly analytics: AnalyticsConfig | undefined;
  readonly broker: BrokerConfig;
  readonly deviceConnection: DeviceConnectionConfig;
  readonly region: string;
  readonly providerSet: ProviderSetConfig;
  /** JSON file of the external connections for sign-in at `/idp`. */
  readonly idpConnectionsFile: string | undefined;
  readonly idpSecondStep: SettingValues['idpSecondStep'];
  readonly idpFace: SettingValues['idpFace'];
  readonly idpRealName: SettingValues['idpRealName'];
  /** Minimum length of new passwords at `/idp`, in characters. */
  readonly idpPasswordLength: number;
  /** Email domains whose users can register for the portal. */
  readonly idpRegistrationDomains: readonly string[];
  /** Origins from which `/idp` can fetch photos of faces. */
  readonly idpPhotoOrigins: readonly string[];
  /** Origins whose pages can call `/identity`. */
  readonly identityOrigins: readonly string[] | 'loopback';
  readonly tokenStorage: SettingValues['tokenStorage'];
  readonly parameterStore: ParameterStoreConfig;
  /** Undefined if only the role in this installation is assumed. */
  readonly airBlastRole: CloudRoleConfig | undefined;
  /** SQS queue of device events; undefined if they arrive by the broker alone. */
  readonly deviceQueue: { readonly url: string; readonly region: string } | undefined;
  /** Undefined if commands run only on devices with the agent. */
  readonly systemsManager: SystemsManagerConfig | undefined;
  readonly sessionDurationMinutes: number;
  /** Empty for the countries of the simulated fleet. */
  readonly supportedCountries: readonly string[];
  /**
   * Null if device addresses are not used; otherwise an MMDB file instead of the bundled one,
   * absolute.
   */
  readonly addressCountries: { readonly file: string | undefined } | null;
  readonly map: MapConfig;
  readonly signInLimits: boolean;
  readonly tokenCheck: TokenCheckConfig;
  readonly signIn: SignInConfig;
  readonly messenger: MessengerConfig;
  /** Hosts, addresses, and networks that are not public and to which alerts can be sent. */
  readonly alertInternalHosts: readonly string[];
  readonly limits: LimitsConfig;
  /** What devices are asked to measure; undefined for nothing. */
  readonly deviceMetrics: ConnectionMetrics | undefined;
  readonly retention: RetentionConfig;
  readonly accessReview: AccessReviewConfig;
  readonly audit: AuditConfig;
  /** Undefined if no origin is set up. */
  readonly webPages: WebPagesConfig | undefined;
}
