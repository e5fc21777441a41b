import type { FileStore } from '../files/file-store.ts';
import type { TableFeed, TableLayout } from '../sources/table-feed.ts';
import type { RunCommand } from './run-command.ts';

export type { RunCommand } from './run-command.ts';

export type {
  FeedCursor,
  FeedPage,
  TableChange,
  TableFeed,
  TableItem,
  TableLayout,
  TableWrite,
  WriteResult,
} from '../sources/table-feed.ts';

export type {
  ByteRange,
  FileContent,
  FileStore,
  FileUpload,
  FoundFile,
  OpenedFile,
  PutOptions,
  StoredFile,
} from '../files/file-store.ts';

/** Where an AWS service is called, and by whom. */
export interface AwsOptions {
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
  /** Undefined for the default credential chain (environment, profile, role of the machine). */
  readonly credentials?: AwsCredentials;
}

/** The diagnostics channel on which the package announces its calls. */
export type AwsCallChannel = 'deviceportal:aws-call';

/** A call to AWS that has ended, after its last attempt. */
export interface AwsCall {
  /** Name of the client, such as `SQSClient`. */
  readonly client: string;
  /** Name of the command, such as `ReceiveMessageCommand`. */
  readonly command: string;
  /** For calls to S3. */
  readonly bucket: string | undefined;
  /** Undefined if the call succeeded. */
  readonly error: unknown;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where files are in S3, and in parts of which size they are sent. */
export interface S3FilesOptions extends AwsOptions {
  readonly bucket: string;
  readonly partBytes: number;
  /** Maximum number of objects on one page of a list. Default: that of S3. */
  readonly pageSize?: number;
}

export interface SsmParameter {
  readonly name: string;
  readonly version: number;
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly value: string;
}

/** Sends one MIME message in one attempt. */
export type SendMail = (message: {
  readonly from: string;
  readonly to: string;
  readonly mail: Uint8Array;
}) => Promise<void>;

/** Sends one text message to a number in E.164, in one attempt. */
export type SendText = (message: { readonly to: string; readonly text: string }) => Promise<void>;

/** Assumes a role; the keys of its session are not kept. */
export type AssumeRole = (request: {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly durationSeconds: number;
  readonly tags: Readonly<Record<string, string>>;
}) => Promise<{ readonly expiresAt: Date }>;

/** Secrets by ID: a name, an ARN, or an ARN without its random suffix. */
export interface SecretsManager {
  /** The current version, text as UTF-8; undefined if the secret does not exist. */
  read(id: string): Promise<Uint8Array | undefined>;
  /** False if a secret of this name exists already. */
  create(secret: {
    readonly name: string;
    readonly description: string;
    readonly value: Uint8Array;
  }): Promise<boolean>;
  /**
   * The previous version loses its label, and is then deleted by Secrets Manager. False if the secret
   * does not exist.
   */
  replace(id: string, value: Uint8Array): Promise<boolean>;
  /** Without a recovery window. */
  remove(id: string): Promise<void>;
}

/** Keys that KMS encrypts, so that they can be stored beside what they encrypt. */
export interface DataKeys {
  /** A new key of 32 bytes, plain and encrypted. */
  generate(key: DataKeyPlace): Promise<{ readonly plain: Uint8Array; readonly sealed: Uint8Array }>;
  open(key: DataKeyPlace & { readonly sealed: Uint8Array }): Promise<Uint8Array>;
}

export interface DataKeyPlace {
  readonly keyArn: string;
  /** Encryption context: not secret, recorded by CloudTrail, and required again to decrypt. */
  readonly context: Readonly<Record<string, string>>;
}

/** An object of which every version is locked. */
export interface LockedObject {
  readonly key: string;
  /** Of the first version, which later ones hide but cannot replace; null without versions. */
  readonly versionId: string | null;
  /** False if there are later versions, or if it was marked as deleted. */
  readonly isOnly: boolean;
}

/** Objects of one bucket. */
export interface LockedObjects {
  /** Whether the bucket has object lock. */
  hasLock(): Promise<boolean>;
  /**
   * Stores an object that no administrator can delete before a time (compliance mode).
   *
   * @returns its version; undefined if there is already an object of this key
   */
  put(object: {
    readonly key: string;
    readonly body: Uint8Array;
    readonly lockedUntil: Date;
  }): Promise<string | null | undefined>;
  /** In the order of keys. */
  list(prefix: string): AsyncIterable<LockedObject>;
  read(object: Pick<LockedObject, 'key' | 'versionId'>): Promise<Uint8Array>;
}

export interface QueuedMessage {
  readonly body: string;
  /** Identifies this delivery of the message. */
  readonly receipt: string;
  /** How often the message has been delivered, including this time; an estimate. */
  readonly deliveries: number;
  readonly sentAt: Date;
}

/** A queue that delivers each message at least once, in any order, at most ten at a time. */
export interface MessageQueue {
  /**
   * @property hasDeadLetters whether the queue moves messages to another queue that it has delivered
   *   too often
   * @property waiting number of messages that can be received now; an estimate
   */
  readonly describe: () => Promise<{
    readonly hasDeadLetters: boolean;
    readonly waiting: number;
  }>;
  /** Waits up to 20 s for messages. What is not removed within 120 s is delivered again. */
  readonly receive: (signal: AbortSignal) => Promise<readonly QueuedMessage[]>;
  readonly remove: (receipts: readonly string[]) => Promise<void>;
  /** Delivers the messages again after so many seconds. */
  readonly postpone: (
    postponed: readonly { readonly receipt: string; readonly seconds: number }[],
  ) => Promise<void>;
}

export interface AthenaQuery {
  /** SQL with a question mark for each value. */
  readonly sql: string;
  /** Texts of 1 to 500 characters, which are compared as they are. */
  readonly values: readonly string[];
  /** How long it may run. */
  readonly limitMs: number;
}

/** Values of a row in the order of the columns, as texts. */
export type AthenaRow = readonly (string | null)[];

export type AthenaOutcome =
  | { readonly ended: 'succeeded'; readonly pages: AsyncIterable<readonly AthenaRow[]> }
  | {
      readonly ended: 'too-slow' | 'too-much-data' | 'failed';
      /** As Athena says it. */
      readonly reason: string;
    };

/**
 * Runs a query to its end, and stops it at its limit or when the signal aborts: then it rejects with the reason of the
 * signal. Errors of Athena have a `$metadata`.
 */
export type RunAthenaQuery = (query: AthenaQuery, signal?: AbortSignal) => Promise<AthenaOutcome>;

/** A page of EC2 instances and hybrid nodes with all of these tags, and with all their tags. */
export type ListInstanceTags = (
  tags: Readonly<Record<string, string>>,
  cursor: string | undefined,
) => Promise<{
  readonly instances: readonly {
    /** `i-…` or `mi-…`. */
    readonly id: string;
    readonly tags: Readonly<Record<string, string>>;
  }[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}>;

/** Devices of AWS IoT Core in one region of an account. */
export interface IotDevices {
  /**
   * The host at which devices connect, and the default version of a policy as JSON; undefined if there
   * is no such policy.
   */
  readonly describe: (
    policy: string,
  ) => Promise<{ readonly host: string; readonly policy: string | undefined }>;
  /**
   * Registers a certificate as active, with its thing, whose name is the device ID, and its policy.
   * Can be repeated.
   *
   * @returns the ID of the certificate
   */
  readonly register: (registration: {
    readonly deviceId: string;
    /** PEM. */
    readonly certificate: string;
    readonly policy: string;
  }) => Promise<string>;
  /** Changes whether a certificate is accepted. Connections stay open. */
  readonly setActive: (certificateId: string, isActive: boolean) => Promise<void>;
  /** Deletes a certificate, also an active one. Can be repeated. */
  readonly deleteCertificate: (certificate: {
    readonly deviceId: string;
    readonly certificateId: string;
  }) => Promise<void>;
  /** Deletes the thing of a device without certificates. Can be repeated. */
  readonly deleteThing: (deviceId: string) => Promise<void>;
}

/** What is sent to devices that are connected to AWS IoT Core. */
export interface IotPublisher {
  /** Sends a message to the subscribers of a topic, if there are any. Slows down when throttled. */
  readonly publish: (
    message: { readonly topic: string; readonly payload: string; readonly qos: 0 | 1 },
    signal: AbortSignal,
  ) => Promise<void>;
  /** Ends the connection of a client, if it has one. */
  readonly endConnection: (clientId: string) => Promise<void>;
}

/**
 * Exports of the optional package `@deviceportal/aws`, by subpath. The package implements these
 * types, and the server loads it with `loadAws`.
 */
export interface AwsPackage {
  readonly 's3-files': {
    /**
     * Files in a folder of a bucket, by keys that must be checked before (`file-key.ts`). Requires
     * `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject`, `s3:AbortMultipartUpload`, and
     * `s3:ListMultipartUploadParts` on the objects, and `s3:ListBucket` and
     * `s3:ListBucketMultipartUploads` on the bucket. Errors of S3 have a `$metadata`.
     */
    createS3Files(options: S3FilesOptions): (folder: string) => FileStore;
  };
  readonly 'assume-role': {
    /** Requires `sts:AssumeRole` and `sts:TagSession` on the role, and the same in its trust policy. */
    createAssumeRole(options: AwsOptions): AssumeRole;
  };
  readonly iot: {
    /**
     * Requires `iot:DescribeEndpoint`, `GetPolicy`, `RegisterCertificateWithoutCA`, `CreateThing`,
     * `AttachThingPrincipal`, `AttachPolicy`, `UpdateCertificate`, `DescribeCertificate`, `DetachThingPrincipal`,
     * `DeleteCertificate`, and `DeleteThing`.
     */
    createIotDevices(options: AwsOptions): IotDevices;
    /** Requires `iot:Publish` on the topics, and `iot:DeleteConnection` on the clients. */
    createIotPublisher(options: AwsOptions): IotPublisher;
  };
  readonly kms: {
    /** Requires `kms:GenerateDataKey` and `kms:Decrypt` on the key. */
    createDataKeys(options: AwsOptions): DataKeys;
  };
  readonly 'locked-objects': {
    /**
     * Requires `s3:GetBucketObjectLockConfiguration`, `s3:PutObject`, `s3:PutObjectRetention`,
     * `s3:ListBucketVersions`, `s3:GetObject`, and `s3:GetObjectVersion`.
     */
    createLockedObjects(options: AwsOptions & { readonly bucket: string }): LockedObjects;
  };
  readonly athena: {
    /**
     * Requires `athena:StartQueryExecution`, `GetQueryExecution`, `GetQueryResults`, and `StopQueryExecution` on the
     * workgroup. Athena itself acts with the same credentials: it reads the table (`glue:GetDatabase`, `glue:GetTable`)
     * and its files, and writes and reads results.
     */
    createAthenaQueries(options: AwsOptions & { readonly workgroup: string }): RunAthenaQuery;
  };
  readonly 'dynamodb-tables': {
    /**
     * Requires `dynamodb:DescribeTable`, `Scan`, `PutItem`, `DeleteItem`, and `BatchWriteItem` on the table, and
     * `dynamodb:DescribeStream`, `GetShardIterator`, and `GetRecords` on its stream.
     */
    createTableFeed(
      options: AwsOptions & { readonly table: string; readonly layout: TableLayout },
    ): TableFeed;
  };
  readonly 'parameter-store': {
    /**
     * Reads parameters by `name` or `name:version`, secrets decrypted. Parameters that do not exist
     * are omitted. Requires `ssm:GetParameters`, and `kms:Decrypt` for secrets.
     */
    createParameterStore(
      options: AwsOptions,
    ): (names: readonly string[]) => Promise<readonly SsmParameter[]>;
  };
  readonly 'rds-tokens': {
    /**
     * Tokens of users, valid for 15 minutes as passwords of a database of Amazon RDS. Requires
     * `rds-db:connect` for the user.
     */
    createRdsTokens(
      options: Omit<AwsOptions, 'endpoint'> & { readonly host: string; readonly port: number },
    ): (user: string) => Promise<string>;
  };
  readonly 'resource-tags': {
    /** Requires `tag:GetResources`. */
    createInstanceTags(options: AwsOptions): ListInstanceTags;
  };
  readonly 'secrets-manager': {
    /**
     * Requires `secretsmanager:GetSecretValue`, and where secrets are written `CreateSecret`,
     * `PutSecretValue`, `DescribeSecret`, `UpdateSecretVersionStage`, and `DeleteSecret`.
     */
    createSecretsManager(options: AwsOptions): SecretsManager;
  };
  readonly 'ses-mail': {
    /** Requires `ses:SendRawEmail` for the identity of the sender. */
    createSesMail(options: AwsOptions): SendMail;
  };
  readonly 'sns-text': {
    /**
     * Requires `sns:Publish` to phone numbers.
     *
     * @param options.senderId undefined for a number of SNS
     */
    createSnsText(options: AwsOptions & { readonly senderId: string | undefined }): SendText;
  };
  readonly 'sqs-queue': {
    /**
     * Requires `sqs:ReceiveMessage`, `sqs:DeleteMessage`, `sqs:ChangeMessageVisibility`, and
     * `sqs:GetQueueAttributes` on the queue.
     */
    createSqsQueue(options: AwsOptions & { readonly url: string }): MessageQueue;
  };
  readonly 'ssm-commands': {
    /**
     * Requires `ssm:SendCommand` on documents and instances, `ssm:CreateDocument`, `ssm:UpdateDocument`,
     * `ssm:GetDocument`, and `ssm:DescribeDocument` on documents, and `ssm:DescribeInstanceInformation`,
     * `ssm:ListTagsForResource`, `ssm:ListCommands`, `ssm:ListCommandInvocations`,
     * `ssm:GetCommandInvocation`, and `ssm:CancelCommand`.
     */
    createRunCommand(options: AwsOptions): RunCommand;
  };
}
