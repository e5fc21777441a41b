/** Run Command of AWS Systems Manager, as the server uses it. Errors of the service have a `$metadata`. */
export interface RunCommand {
  /** A page of managed instances with all of these tags. */
  readonly listInstances: (
    tags: Readonly<Record<string, string>>,
    cursor: string | undefined,
  ) => Promise<{
    readonly instances: readonly ListedInstance[];
    /** Undefined on the last page. */
    readonly next: string | undefined;
  }>;
  /** Tags of a hybrid node (`mi-…`). Those of EC2 instances are not in Systems Manager. */
  readonly tagsOf: (instanceId: string) => Promise<Readonly<Record<string, string>>>;
  /** Undefined if there is no such version. */
  readonly findDocument: (
    wanted: Pick<NewSsmDocument, 'name' | 'versionName'>,
  ) => Promise<FoundSsmDocument | undefined>;
  /** Creates a document, or a further version of it. Does nothing if there is one of this name. */
  readonly addDocument: (document: NewSsmDocument) => Promise<void>;
  /** Sends a command in one attempt, and returns its ID. After an error it may have been sent. */
  readonly send: (command: NewSsmCommand) => Promise<string>;
  /** The ID of the command with a comment; undefined if none was sent. */
  readonly findCommand: (wanted: {
    readonly comment: string;
    readonly documentName: string;
    readonly since: Date;
  }) => Promise<string | undefined>;
  /** The command on each of its instances. */
  readonly listInvocations: (commandId: string) => Promise<readonly SsmInvocation[]>;
  readonly readOutput: (step: {
    readonly commandId: string;
    readonly instanceId: string;
    readonly step: string;
  }) => Promise<SsmOutput>;
  readonly cancel: (commandId: string, instanceIds: readonly string[]) => Promise<void>;
}

export interface ListedInstance {
  /** `i-…` for EC2, `mi-…` for a hybrid node. */
  readonly id: string;
  readonly resourceType: string;
  /** Whether its agent can receive commands (PingStatus `Online`). */
  readonly isOnline: boolean;
  readonly lastPingAt: Date | undefined;
  readonly agentVersion: string;
  readonly platformType: string;
  readonly platformName: string;
  readonly platformVersion: string;
  readonly ipAddress: string | null;
  readonly hostName: string;
  /** Name of a hybrid node; empty if it has none. */
  readonly name: string;
}

export interface NewSsmDocument {
  readonly name: string;
  /** Unique in its document. */
  readonly versionName: string;
  /** JSON. */
  readonly content: string;
}

export interface FoundSsmDocument {
  readonly content: string;
  readonly version: string;
  /** Whether it can be run already. */
  readonly isActive: boolean;
  readonly hash: string;
  readonly hashType: string;
}

export interface NewSsmCommand {
  readonly document: Pick<FoundSsmDocument, 'version' | 'hash' | 'hashType'> & {
    readonly name: string;
  };
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** At most 50. */
  readonly instanceIds: readonly string[];
  /** At most 100 characters. */
  readonly comment: string;
  /** Within which it must start on an instance. */
  readonly deliverySeconds: number;
  /** Place of complete output; undefined if long output is cut. */
  readonly output: { readonly bucket: string; readonly prefix: string } | undefined;
}

/** A command on one instance. */
export interface SsmInvocation {
  readonly instanceId: string;
  readonly status: string;
  readonly statusDetails: string;
  readonly steps: readonly SsmStep[];
}

export interface SsmStep {
  readonly name: string;
  readonly status: string;
  readonly responseCode: number | null;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
}

export interface SsmOutput {
  /** The first 24,000 characters. */
  readonly stdout: string;
  /** The first 8,000 characters. */
  readonly stderr: string;
  /** URL of an object with all of `stdout`; empty without a bucket. */
  readonly stdoutUrl: string;
}
