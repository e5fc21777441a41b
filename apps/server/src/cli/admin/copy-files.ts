import { identityMigrations } from '../../compose/identity-migrations.ts';
import { moveFiles, type MovedFiles } from '../../installation/move-files.ts';
import type { Config } from '../../platform/config/config.ts';
import { filesAt, reportsWithin } from '../../platform/config/files-at.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import type { CopiedStore, CopyCount, CopyProgress } from '../../platform/files/copy-files.ts';
import { openAllFolders } from '../../platform/files/file-folders.ts';
import type { FilePlace } from '../../platform/files/file-place.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { openFilePlace } from '../../platform/files/open-file-place.ts';
import { s3ErrorName } from '../../platform/files/s3-error.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

const SETTING = 'DEVICEPORTAL_FILES';
const PROGRESS_EVERY_MS = 2_000;

/** Copies the files of the installation between the data folder and S3. */
export const copyFilesOf: AdminWork = {
  usage: 'FROM TO (each: directory|s3://BUCKET/PREFIX)',
  words: [2],
  async run({ config, logger, resources }, [fromText = '', toText = '']) {
    const from = await openPlace(config, fromText);
    const to = await openPlace(config, toText);
    if (from.name === to.name) throw new StartError('FROM and TO are the same place.');
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const stores = storesOf(config, { from, to });
    const moved = await moveFiles({
      database,
      from,
      to,
      stores,
      onProgress: printProgress(),
    }).catch((error: unknown) => {
      throw asStartError(error);
    });
    return linesOf(moved, { from, to: toText }).join('\n');
  },
};

async function openPlace(config: Config, text: string): Promise<FilePlace> {
  const found = filesAt(config, text);
  if (found !== undefined) return openFilePlace(found, SETTING);
  throw new StartError(`"${text}" is not a place for files. Use directory or s3://bucket/prefix.`);
}

function storesOf(
  config: Config,
  { from, to }: { readonly from: FilePlace; readonly to: FilePlace },
): CopiedStore[] {
  const reports = reportsWithin(config);
  const targets = openAllFolders(to, reports);
  return openAllFolders(from, reports).map((store, index) => ({
    from: store,
    to: targets[index] as FileStore,
  }));
}

function printProgress(): (progress: CopyProgress) => void {
  let printedAt = performance.now();
  return ({ total, copied, present }) => {
    if (performance.now() - printedAt < PROGRESS_EVERY_MS) return;
    printedAt = performance.now();
    const files = copied.files + present.files;
    const bytes = copied.bytes + present.bytes;
    process.stderr.write(
      `${files} of ${total.files} files, ${mebibytes(bytes)} of ${mebibytes(total.bytes)} …\n`,
    );
  };
}

function linesOf(
  moved: MovedFiles,
  { from, to }: { readonly from: FilePlace; readonly to: string },
): string[] {
  if (moved === 'moved-before') return [`This database already uses ${to}. Nothing was copied.`];
  const { copied, present, running } = moved;
  return [
    `Copied and verified: ${described(copied)}. Already there with the same digest: ${described(present)}.`,
    ...(running.length > 0
      ? [
          `This database still uses ${from.name}, because servers are running: ${running.join(', ')}. Stop them, wait 45 seconds after a crash, and run this command again: it copies only what is new.`,
        ]
      : [
          `This database now uses ${to}. Set ${SETTING}=${to} on all servers and start them.`,
          `The files in ${from.name} were not changed. Delete them when you no longer need them.`,
        ]),
  ];
}

const described = ({ files, bytes }: CopyCount): string => `${files} files, ${mebibytes(bytes)}`;
const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

function asStartError(error: unknown): unknown {
  const name = s3ErrorName((error as Error).cause);
  if (name === undefined) return error;
  return new StartError(
    `The copy stopped: S3 answered ${name}. Run the command again to continue.`,
    {
      cause: error,
    },
  );
}
