import {
  CancelCommandCommand,
  CreateDocumentCommand,
  DescribeDocumentCommand,
  DescribeInstanceInformationCommand,
  GetCommandInvocationCommand,
  GetDocumentCommand,
  ListCommandInvocationsCommand,
  ListCommandsCommand,
  ListTagsForResourceCommand,
  SendCommandCommand,
  SSMClient,
  UpdateDocumentCommand,
  type CommandInvocation,
  type CommandPlugin,
  type DocumentHashType,
  type InstanceInformation,
} from '@aws-sdk/client-ssm';
import type { AwsOptions, AwsPackage, RunCommand } from '@deviceportal/server/aws-package';
import { singleAttempt } from './single-attempt.ts';
import { withTimeouts } from './with-timeouts.ts';

/** Most results on one page, by call (AWS Systems Manager API Reference). */
const PAGE = 50;
/** Clocks of this server and of AWS may differ. */
const CLOCK_TOLERANCE_MS = 300_000;

/** Run Command of AWS Systems Manager. */
export const createRunCommand: AwsPackage['ssm-commands']['createRunCommand'] = (options) => {
  const client = new SSMClient(withTimeouts(options));
  return {
    ...instanceCalls(client),
    ...documentCalls(client),
    ...sendingCalls(client, options),
    ...readingCalls(client),
  };
};

function instanceCalls(client: SSMClient): Pick<RunCommand, 'listInstances' | 'tagsOf'> {
  return {
    async listInstances(tags, cursor) {
      const filters = Object.entries(tags).map(([key, value]) => ({
        Key: `tag:${key}`,
        Values: [value],
      }));
      const { InstanceInformationList = [], NextToken } = await client.send(
        new DescribeInstanceInformationCommand({
          MaxResults: PAGE,
          ...(filters.length > 0 && { Filters: filters }),
          ...(cursor !== undefined && { NextToken: cursor }),
        }),
      );
      return { instances: InstanceInformationList.flatMap(instanceOf), next: NextToken };
    },
    async tagsOf(instanceId) {
      const { TagList = [] } = await client.send(
        new ListTagsForResourceCommand({ ResourceType: 'ManagedInstance', ResourceId: instanceId }),
      );
      return Object.fromEntries(TagList.map(({ Key = '', Value = '' }) => [Key, Value]));
    },
  };
}

function documentCalls(client: SSMClient): Pick<RunCommand, 'findDocument' | 'addDocument'> {
  return {
    async findDocument({ name: Name, versionName: VersionName }) {
      try {
        const wanted = { Name, VersionName };
        const { Content = '' } = await client.send(new GetDocumentCommand(wanted));
        const { Document } = await client.send(new DescribeDocumentCommand(wanted));
        return {
          content: Content,
          version: Document?.DocumentVersion ?? '',
          isActive: Document?.Status === 'Active',
          hash: Document?.Hash ?? '',
          hashType: Document?.HashType ?? 'Sha256',
        };
      } catch (error) {
        if (isNamed(error, 'InvalidDocument', 'InvalidDocumentVersion')) return undefined;
        throw error;
      }
    },
    async addDocument({ name: Name, versionName: VersionName, content: Content }) {
      const document = { Name, VersionName, Content, DocumentFormat: 'JSON' } as const;
      try {
        await client.send(new CreateDocumentCommand({ ...document, DocumentType: 'Command' }));
      } catch (error) {
        if (!isNamed(error, 'DocumentAlreadyExists')) throw error;
        await client
          .send(new UpdateDocumentCommand({ ...document, DocumentVersion: '$LATEST' }))
          .catch((fault: unknown) => {
            if (!isNamed(fault, 'DuplicateDocumentVersionName')) throw fault;
          });
      }
    },
  };
}

function sendingCalls(
  client: SSMClient,
  options: AwsOptions,
): Pick<RunCommand, 'send' | 'findCommand' | 'cancel'> {
  // The client would repeat a call whose answer was lost, and the command would run twice.
  const { client: once, limit } = singleAttempt(options);
  const sender = new SSMClient(once);
  return {
    async send({ document, parameters, instanceIds, comment, deliverySeconds, output }) {
      const command = new SendCommandCommand({
        DocumentName: document.name,
        DocumentVersion: document.version,
        DocumentHash: document.hash,
        DocumentHashType: document.hashType as DocumentHashType,
        InstanceIds: [...instanceIds],
        Parameters: Object.fromEntries(
          Object.entries(parameters).map(([name, values]) => [name, [...values]]),
        ),
        Comment: comment,
        TimeoutSeconds: deliverySeconds,
        // The ramp of the run is the only one.
        MaxConcurrency: '100%',
        MaxErrors: '100%',
        ...(output && { OutputS3BucketName: output.bucket, OutputS3KeyPrefix: output.prefix }),
      });
      const { Command } = await sender.send(command, limit());
      if (Command?.CommandId === undefined) throw new Error('SendCommand returned no command');
      return Command.CommandId;
    },
    async findCommand({ comment, documentName, since }) {
      const after = new Date(since.getTime() - CLOCK_TOLERANCE_MS).toISOString();
      const filters = [
        { key: 'InvokedAfter' as const, value: `${after.slice(0, 19)}Z` },
        { key: 'DocumentName' as const, value: documentName },
      ];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const { Commands = [], NextToken } = await client.send(
          new ListCommandsCommand({ Filters: filters, MaxResults: PAGE, ...tokenOf(cursor) }),
        );
        const found = Commands.find(({ Comment }) => Comment === comment);
        if (found?.CommandId !== undefined) return found.CommandId;
        cursor = NextToken;
      }
      return undefined;
    },
    async cancel(CommandId, instanceIds) {
      await client.send(new CancelCommandCommand({ CommandId, InstanceIds: [...instanceIds] }));
    },
  };
}

function readingCalls(client: SSMClient): Pick<RunCommand, 'listInvocations' | 'readOutput'> {
  return {
    async listInvocations(CommandId) {
      const found: CommandInvocation[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const page = { CommandId, Details: true, MaxResults: PAGE, ...tokenOf(cursor) };
        const answer = await client.send(new ListCommandInvocationsCommand(page));
        found.push(...(answer.CommandInvocations ?? []));
        cursor = answer.NextToken;
      }
      return found.map(({ InstanceId = '', Status = '', StatusDetails, CommandPlugins = [] }) => ({
        instanceId: InstanceId,
        status: Status,
        statusDetails: StatusDetails ?? Status,
        steps: CommandPlugins.map(stepOf),
      }));
    },
    async readOutput({ commandId, instanceId, step }) {
      const answer = await client.send(
        new GetCommandInvocationCommand({
          CommandId: commandId,
          InstanceId: instanceId,
          PluginName: step,
        }),
      );
      return {
        stdout: answer.StandardOutputContent ?? '',
        stderr: answer.StandardErrorContent ?? '',
        stdoutUrl: answer.StandardOutputUrl ?? '',
      };
    },
  };
}

const tokenOf = (cursor: string | undefined) => (cursor === undefined ? {} : { NextToken: cursor });

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

function instanceOf(found: InstanceInformation) {
  const { InstanceId: id, LastPingDateTime: lastPingAt } = found;
  if (id === undefined) return [];
  return [
    {
      id,
      lastPingAt,
      resourceType: found.ResourceType ?? '',
      isOnline: found.PingStatus === 'Online',
      agentVersion: found.AgentVersion ?? '',
      platformType: found.PlatformType ?? '',
      platformName: found.PlatformName ?? '',
      platformVersion: found.PlatformVersion ?? '',
      ipAddress: found.IPAddress ?? null,
      hostName: found.ComputerName ?? '',
      name: found.Name ?? '',
    },
  ];
}

const stepOf = (plugin: CommandPlugin) => ({
  name: plugin.Name ?? '',
  status: plugin.Status ?? '',
  responseCode: plugin.ResponseCode ?? null,
  startedAt: plugin.ResponseStartDateTime,
  endedAt: plugin.ResponseFinishDateTime,
});
