import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateDir } from '../../database/postgres-socket.ts';
import type { PostgresAccount } from '../../database/postgres-account.ts';
import { repeat } from '../../process/repeat.ts';
import type { BackupSignature } from '../load-backup.ts';
import type { ChainPlaces } from './archive-places.ts';
import { readSealed } from './sealed-object.ts';
import { HISTORY, SEGMENT } from './wal-names.ts';

const LOOK_EVERY_MS = 20;
/** After ten minutes without an answer, the recovery ends. */
const ASKS = 12_000;

export interface RecoveryFeed extends AsyncDisposable {
  /** PostgreSQL's `restore_command`. */
  readonly command: string;
  /** Of everything that was fed. */
  readonly signatures: readonly BackupSignature[];
  /** Why a segment could not be fed. */
  readonly failure: () => unknown;
  /** The last segment that was fed. */
  readonly last: () => string | undefined;
}

/** Gives a recovering cluster the segments that it requests, one at a time, by files in a folder. */
export async function feedRecovery(
  chain: ChainPlaces,
  {
    folder,
    account,
    identities,
  }: {
    readonly folder: string;
    readonly account: PostgresAccount;
    readonly identities: readonly string[];
  },
): Promise<RecoveryFeed> {
  await rm(folder, { recursive: true, force: true });
  await makePrivateDir(folder, account);
  const signatures: BackupSignature[] = [];
  let failure: unknown;
  let last: string | undefined;
  const answer = async (name: string): Promise<void> => {
    const found =
      SEGMENT.test(name) || HISTORY.test(name)
        ? await readSealed(chain.log(name), identities)
        : undefined;
    if (found === undefined) return writeFile(join(folder, `${name}.none`), '');
    await writeFile(join(folder, `${name}.new`), found.content, { mode: 0o644 });
    await rename(join(folder, `${name}.new`), join(folder, name));
    signatures.push(found.signature);
    if (SEGMENT.test(name)) last = name;
  };
  const round = async (): Promise<void> => {
    for (const entry of await readdir(folder)) {
      const [, name] = /^(.+)\.wanted$/.exec(entry) ?? [];
      if (name === undefined) continue;
      await rm(join(folder, entry));
      await answer(name).catch(async (error: unknown) => {
        failure ??= error;
        await writeFile(join(folder, `${name}.failed`), '');
      });
    }
  };
  const resources = new AsyncDisposableStack();
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  resources.use(repeat(round, { everyMs: LOOK_EVERY_MS, onError: (error) => (failure ??= error) }));
  return {
    command: commandFor(folder),
    signatures,
    failure: () => failure,
    last: () => last,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Exit code 1: there is no such file. Above 125: the recovery ends (PostgreSQL documentation, `restore_command`). */
function commandFor(folder: string): string {
  const file = `'${folder.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'/%f`;
  return [
    `rm -f ${file}.none; : > ${file}.wanted; i=0`,
    `while [ ! -e ${file} ]`,
    `do if [ -e ${file}.none ]; then exit 1; fi`,
    `if [ -e ${file}.failed ]; then exit 126; fi`,
    `i=$((i + 1)); if [ $i -gt ${ASKS} ]; then exit 126; fi`,
    `sleep 0.05; done; cp ${file} "%p" && rm -f ${file}`,
  ].join('; ');
}
