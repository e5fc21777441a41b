import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runSsmDocument, type StepOutcome } from './run-ssm-document.ts';

export interface SmallInstance {
  readonly id: string;
  isOnline: boolean;
  agentVersion: string;
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** What happens to the next call of an operation, instead of its answer. */
type Interruption =
  /** Nothing is done, and nothing answered. */
  | 'hold-before'
  /** It is done, and not answered. */
  | 'hold-after'
  /** It is done, and its connection ends. */
  | 'cut';

interface Invocation {
  readonly instanceId: string;
  readonly abort: AbortController;
  status: string;
  details: string;
  steps: readonly StepOutcome[];
}

interface Command {
  readonly id: string;
  readonly comment: string;
  readonly document: string;
  readonly at: Date;
  readonly input: Input;
  readonly invocations: readonly Invocation[];
}

interface Version {
  readonly version: string;
  readonly versionName: string;
  readonly content: string;
}

// What clients send is checked where it is used.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Input = Readonly<Record<string, any>>;

class Fault extends Error {
  readonly code: string;
  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

const PAGE = 20;
const STDOUT = 24_000;
const STDERR = 8_000;
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const seconds = (date: Date): number => date.getTime() / 1_000;

/**
 * The operations of AWS Systems Manager that the portal calls, in AWS JSON 1.1. Commands are executed with the interpreter
 * of the agent, as processes of this machine.
 */
export class SmallSsm implements AsyncDisposable {
  readonly instances: SmallInstance[];
  readonly calls: { readonly operation: string; readonly input: Input }[] = [];
  /** Instances on which commands were started, one entry for each time. */
  readonly executions: { readonly commandId: string; readonly instanceId: string }[] = [];
  readonly commands: Command[] = [];
  readonly documents = new Map<string, Version[]>();
  /** Complete output in a bucket, by URL. */
  readonly objects = new Map<string, string>();
  readonly #interruptions = new Map<string, Interruption>();
  readonly #faults = new Map<string, Fault>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** Instances do not take commands while it is true. */
  isSlow = false;

  private constructor(instances: readonly SmallInstance[]) {
    this.instances = [...instances];
  }

  static async start(instances: readonly SmallInstance[]): Promise<SmallSsm> {
    const ssm = new SmallSsm(instances);
    ssm.#server.listen(0, '127.0.0.1');
    await once(ssm.#server, 'listening');
    return ssm;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  interruptNext(operation: string, how: Interruption): void {
    this.#interruptions.set(operation, how);
  }

  failNext(operation: string, code: string): void {
    this.#faults.set(operation, new Fault(code));
  }

  count(operation: string): number {
    return this.calls.filter((call) => call.operation === operation).length;
  }

  /** Whether the interruption has happened. */
  isInterrupted(operation: string): boolean {
    return !this.#interruptions.has(operation);
  }

  /** Sets the state of an invocation, as Systems Manager does when it gives up. */
  setStatus(instanceId: string, status: string, details: string): void {
    const found = this.commands.at(-1)?.invocations.find((one) => one.instanceId === instanceId);
    if (found) Object.assign(found, { status, details });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { abort } of this.commands.flatMap(({ invocations }) => invocations)) abort.abort();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
    const input = JSON.parse(await text(request)) as Input;
    this.calls.push({ operation, input });
    const interruption = this.#interruptions.get(operation);
    this.#interruptions.delete(operation);
    if (interruption === 'hold-before') return;
    const { status, body } = this.#answer(operation, input);
    if (interruption === 'hold-after') return;
    if (interruption === 'cut') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  }

  #answer(operation: string, input: Input): { readonly status: number; readonly body: object } {
    try {
      const fault = this.#faults.get(operation);
      this.#faults.delete(operation);
      if (fault !== undefined) throw fault;
      const answer = this.#operations[operation];
      if (answer === undefined) throw new Fault('UnknownOperationException', operation);
      return { status: 200, body: answer(input) };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { status: 400, body: { __type: error.code, message: error.message } };
    }
  }

  readonly #operations: Readonly<Record<string, (input: Input) => object>> = {
    DescribeInstanceInformation: ({ Filters = [], NextToken }) => {
      const wanted = (Filters as { Key: string; Values: string[] }[]).map(
        ({ Key, Values }) => [Key.replace('tag:', ''), Values] as const,
      );
      const found = this.instances.filter(({ tags = {} }) =>
        wanted.every(([key, values]) => values.includes(tags[key] ?? '')),
      );
      return page('InstanceInformationList', found.map(informationOf), NextToken);
    },
    ListTagsForResource: ({ ResourceId }) => {
      const { tags = {} } = this.instances.find(({ id }) => id === ResourceId) ?? {};
      return { TagList: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
    },
    CreateDocument: ({ Name, Content, VersionName }) => {
      if (this.documents.has(Name)) throw new Fault('DocumentAlreadyExists');
      this.documents.set(Name, [{ version: '1', versionName: VersionName, content: Content }]);
      return {};
    },
    UpdateDocument: ({ Name, Content, VersionName }) => {
      const versions = this.documents.get(Name) ?? [];
      if (versions.some(({ versionName }) => versionName === VersionName))
        throw new Fault('DuplicateDocumentVersionName');
      const version = String(versions.length + 1);
      versions.push({ version, versionName: VersionName, content: Content });
      return {};
    },
    GetDocument: (input) => ({ Content: this.#versionOf(input).content }),
    DescribeDocument: (input) => {
      const { version, content } = this.#versionOf(input);
      const facts = { DocumentVersion: version, Status: 'Active' };
      return { Document: { ...facts, Hash: sha256(content), HashType: 'Sha256' } };
    },
    SendCommand: (input) => this.#send(input),
    ListCommands: ({ Filters = [], NextToken }) => {
      const filter = Object.fromEntries(
        (Filters as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
      );
      const found = this.commands
        .filter(
          ({ document, at }) =>
            document === filter['DocumentName'] && at >= new Date(filter['InvokedAfter'] ?? 0),
        )
        .map(({ id, comment }) => ({ CommandId: id, Comment: comment }));
      return page('Commands', found, NextToken);
    },
    ListCommandInvocations: ({ CommandId, NextToken }) =>
      page(
        'CommandInvocations',
        this.#commandOf(CommandId).invocations.map(invocationOf),
        NextToken,
      ),
    GetCommandInvocation: ({ CommandId, InstanceId, PluginName }) => {
      const { input, invocations } = this.#commandOf(CommandId);
      const step = invocations
        .find(({ instanceId }) => instanceId === InstanceId)
        ?.steps.find(({ name }) => name === PluginName);
      if (step === undefined) throw new Fault('InvocationDoesNotExist');
      const { OutputS3BucketName: bucket, OutputS3KeyPrefix: prefix } = input;
      const place = [bucket, prefix, CommandId, InstanceId, PluginName, 'stdout'].join('/');
      const url = bucket === undefined ? '' : `https://s3.eu-central-1.amazonaws.com/${place}`;
      if (url !== '') this.objects.set(url, step.stdout);
      return {
        StandardOutputContent: step.stdout.slice(0, STDOUT),
        StandardErrorContent: step.stderr.slice(0, STDERR),
        StandardOutputUrl: url,
      };
    },
    CancelCommand: ({ CommandId, InstanceIds = [] }) => {
      for (const one of this.#commandOf(CommandId).invocations)
        if (InstanceIds.includes(one.instanceId) && one.status !== 'Success') {
          one.status = 'Cancelling';
          one.abort.abort('cancelled');
        }
      return {};
    },
  };

  #versionOf({ Name, VersionName }: Input): Version {
    const versions = this.documents.get(Name);
    if (versions === undefined) throw new Fault('InvalidDocument');
    const found = versions.find(({ versionName }) => versionName === VersionName);
    if (found === undefined) throw new Fault('InvalidDocumentVersion');
    return found;
  }

  #commandOf(id: string): Command {
    const found = this.commands.find((command) => command.id === id);
    if (found === undefined) throw new Fault('InvalidCommandId');
    return found;
  }

  #send(input: Input): object {
    const ids = input['InstanceIds'] as readonly string[];
    const { DocumentName, DocumentVersion, DocumentHash, Comment, MaxConcurrency, MaxErrors } =
      input;
    const version = this.documents
      .get(DocumentName)
      ?.find(({ version: number }) => number === DocumentVersion);
    if (version === undefined) throw new Fault('InvalidDocument');
    if (DocumentHash !== sha256(version.content)) throw new Fault('InvalidDocument', 'hash');
    if (ids.length === 0 || ids.length > 50 || Comment.length > 100 || input['TimeoutSeconds'] < 30)
      throw new Fault('ValidationException');
    if (MaxConcurrency !== '100%' || MaxErrors !== '100%') throw new Fault('ValidationException');
    if (!ids.every((id) => this.instances.some((one) => one.id === id && one.isOnline)))
      throw new Fault('InvalidInstanceId');
    const command: Command = {
      ...{ id: randomUUID(), comment: Comment, document: DocumentName, at: new Date(), input },
      invocations: ids.map((instanceId) => ({
        ...{ instanceId, abort: new AbortController(), status: 'Pending', details: 'Pending' },
        steps: [],
      })),
    };
    this.commands.push(command);
    if (!this.isSlow)
      for (const one of command.invocations) void this.#execute(command, one, version.content);
    return { Command: { CommandId: command.id } };
  }

  async #execute({ id, input }: Command, one: Invocation, content: string): Promise<void> {
    this.executions.push({ commandId: id, instanceId: one.instanceId });
    Object.assign(one, { status: 'InProgress', details: 'InProgress' });
    const parameters = (input['Parameters'] ?? {}) as Readonly<Record<string, readonly string[]>>;
    const { signal } = one.abort;
    const outcome = await runSsmDocument({ content, parameters, signal });
    const { status, statusDetails, steps } = outcome;
    Object.assign(one, { status, details: statusDetails.replaceAll(' ', ''), steps });
  }
}

function page(name: string, all: readonly object[], token: string | undefined): object {
  const from = Number(token ?? 0);
  const next = from + PAGE < all.length ? { NextToken: String(from + PAGE) } : {};
  return { [name]: all.slice(from, from + PAGE), ...next };
}

const informationOf = ({ id, isOnline, agentVersion, name }: SmallInstance): object => ({
  ...{ InstanceId: id, AgentVersion: agentVersion, PlatformType: 'Linux' },
  ...{ PlatformName: 'Amazon Linux', PlatformVersion: '2023', IPAddress: '10.0.0.7' },
  PingStatus: isOnline ? 'Online' : 'ConnectionLost',
  LastPingDateTime: seconds(new Date()),
  ResourceType: id.startsWith('mi-') ? 'ManagedInstance' : 'EC2Instance',
  ComputerName: `${id}.internal`,
  ...(name !== undefined && { Name: name }),
});

const invocationOf = ({ instanceId, status, details, steps }: Invocation): object => ({
  ...{ InstanceId: instanceId, Status: status, StatusDetails: details },
  CommandPlugins: steps.map((step) => ({
    ...{ Name: step.name, Status: step.status, ResponseCode: step.code },
    ResponseStartDateTime: seconds(step.startedAt),
    ResponseFinishDateTime: seconds(step.endedAt),
  })),
});
