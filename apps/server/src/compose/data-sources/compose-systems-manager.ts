import { buffer } from 'node:stream/consumers';
import type { ParameterVault } from '../../commands/parameters/parameter-vault.ts';
import { loadAws } from '../../platform/aws/load-aws.ts';
import type { SystemsManagerConfig } from '../../platform/config/config.ts';
import { UPLOAD_PART_BYTES } from '../../platform/files/file-store.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { consumeEvents } from '../../systems-manager/event-consumer.ts';
import { importTags } from '../../systems-manager/import-tags.ts';
import { syncInstances } from '../../systems-manager/instance-sync.ts';
import { keyOfOutput } from '../../systems-manager/key-of-output.ts';
import {
  createRunCommandEngine,
  type RunCommandEngine,
} from '../../systems-manager/run-command-engine.ts';
import type { Composition } from '../composition.ts';

const SETTING = 'DEVICEPORTAL_RUN_COMMAND';
const SYNC_MS = 60_000;
const TAGS_MS = 300_000;
/** Without events, commands are read often; with them, in case one is lost. */
const READ_SECONDS = { polled: 5, told: 60 };

/** Managed instances as devices, and the engine of their commands. */
export interface SystemsManager {
  readonly engine: RunCommandEngine;
  /** Call when commands can be sent. */
  readonly start: (onConnected: (deviceIds: readonly string[]) => void) => void;
}

/** Undefined if it is not configured. */
export async function composeSystemsManager(
  { platform, resources, clock }: Composition,
  { vault }: { readonly vault: ParameterVault },
): Promise<SystemsManager | undefined> {
  const { config, database, changes, logger } = platform;
  const { systemsManager: chosen } = config;
  if (chosen === undefined) return undefined;
  const { createRunCommand } = await loadAws('ssm-commands', SETTING);
  const { region, endpoint, tags, labels, queue, output } = chosen;
  const api = createRunCommand({ region, endpoint });
  const engine = resources.use(
    createRunCommandEngine({
      ...{ database, changes, clock, vault, api, region, logger },
      output: output && { bucket: output.bucket, prefix: output.prefix.join('/') },
      readObject: await openOutput(chosen),
      readSeconds: queue === undefined ? READ_SECONDS.polled : READ_SECONDS.told,
    }),
  );
  if (queue !== undefined) {
    const { createSqsQueue } = await loadAws('sqs-queue', `${SETTING}_QUEUE`);
    const messages = createSqsQueue({ ...queue, endpoint: undefined });
    resources.use(consumeEvents({ messages, engine, logger }));
  }
  const listTags =
    labels.length === 0
      ? undefined
      : (await loadAws('resource-tags', `${SETTING}_LABELS`)).createInstanceTags({
          ...{ region, endpoint: undefined },
        });
  return {
    engine,
    start(onConnected) {
      const sync = { database, changes, clock, logger, api, tags, onConnected };
      const onError = (error: unknown): void =>
        logger.warn({ err: error }, 'managed instances not listed');
      resources.use(repeat(() => syncInstances(sync), { everyMs: SYNC_MS, onError }));
      const listed = syncInstances(sync).catch(onError);
      if (listTags === undefined) return;
      const imported = { database, changes, listTags, tags, keys: labels };
      const onTagError = (error: unknown): void =>
        logger.warn({ err: error }, 'tags of managed instances not read');
      void listed.then(() => importTags(imported)).catch(onTagError);
      resources.use(repeat(() => importTags(imported), { everyMs: TAGS_MS, onError: onTagError }));
    },
  };
}

/** Reads complete output from the bucket; undefined without one. */
async function openOutput({ output, region }: SystemsManagerConfig) {
  if (output === undefined) return undefined;
  const { bucket, prefix } = output;
  const { createS3Files } = await loadAws('s3-files', `${SETTING}_OUTPUT`);
  const files = createS3Files({
    bucket,
    region,
    endpoint: undefined,
    partBytes: UPLOAD_PART_BYTES,
  });
  const store = files(prefix.join('/'));
  return async (url: string, limitBytes: number): Promise<string> => {
    const found = await store.open(keyOfOutput(url, prefix), { start: 0, end: limitBytes - 1 });
    if (found === undefined) throw new Error('the output is not in the bucket');
    return (await buffer(found.content)).toString('utf8');
  };
}
