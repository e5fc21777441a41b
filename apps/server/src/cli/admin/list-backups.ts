import {
  openChainFolder,
  openChainList,
  openCompleteBackups,
  openTrials,
  timeOfKey,
} from '../../platform/backup/archive/archive-places.ts';
import type { FilePlace } from '../../platform/files/file-place.ts';
import type { FileStore, FoundFile } from '../../platform/files/file-store.ts';
import { openFilePlace } from '../../platform/files/open-file-place.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Lists what the backup location contains, without the identity that decrypts it. */
export const listBackups: AdminWork = {
  usage: '',
  words: [0],
  async run({ config }) {
    if (config.backups === undefined) {
      throw new StartError('Set the backup location with DEVICEPORTAL_BACKUP_LOCATION.');
    }
    const place = await openFilePlace(config.backups.place, 'DEVICEPORTAL_BACKUP_LOCATION');
    const lines = [...(await chainLines(place)), ...(await completeLines(place))];
    const trial = (await keysIn(openTrials(place))).at(-1);
    return [
      ...(lines.length === 0 ? [`${place.name} contains no scheduled backups.`] : lines),
      trial === undefined
        ? 'No restore has been tried: npm run restore -- --to latest --trial …'
        : `Last trial restore: ${textOf(trial.key)}, passed.`,
    ].join('\n');
  },
};

async function chainLines(place: FilePlace): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { key: chain } of await keysIn(openChainList(place))) {
    const copies = (await keysIn(openChainFolder(place, chain, 'copies'))).filter(({ key }) =>
      key.endsWith('.manifest'),
    );
    const [oldest] = copies;
    const log = await keysIn(openChainFolder(place, chain, 'log'));
    const newest = log.at(-1)?.modifiedAt;
    if (oldest === undefined || newest === undefined) continue;
    const count = copies.length === 1 ? '1 complete copy' : `${copies.length} complete copies`;
    lines.push(
      `${chain}: ${count}, restorable from ${textOf(oldest.key)} to about ${newest.toISOString()}`,
    );
  }
  return lines;
}

const completeLines = async (place: FilePlace): Promise<readonly string[]> =>
  (await keysIn(openCompleteBackups(place))).map(
    ({ key, bytes }) => `complete/${key}: ${textOf(key)}, ${bytes} bytes`,
  );

const textOf = (key: string): string => timeOfKey(key).toISOString();

async function keysIn(store: FileStore): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const each of store.list('')) found.push(each);
  return found.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
