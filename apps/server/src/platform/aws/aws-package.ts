/** Where an AWS service is called, and by whom. */
export interface AwsOptions {
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
  /** Undefined for the default credential chain (environment, profile, role of the machine). */
  readonly credentials?: AwsCredentials;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
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

/**
 * Exports of the optional package `@deviceportal/aws`, by subpath. The package implements these
 * types, and the server loads it with `loadAws`.
 */
export interface AwsPackage {
  readonly 'assume-role': {
    /** Requires `sts:AssumeRole` and `sts:TagSession` on the role, and the same in its trust policy. */
    createAssumeRole(options: AwsOptions): AssumeRole;
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
}
