import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { FOLDER_ENTRIES_LIMIT } from '@deviceportal/contract/device-files';
import type { FolderEntry, FolderPage } from '@deviceportal/device-protocol/file-message';
import type { ListStatement } from '@deviceportal/device-protocol/file-statement';
import type { FileGuard, ReachedFile } from './file-guard.ts';
import { FileRefused } from './file-refused.ts';

type Order = Pick<ListStatement, 'sort' | 'isDescending' | 'offset' | 'limit'>;

/** Of one answer, so that it fits into a message. */
const MOST_CHARACTERS = 96 * 1_024;
const MEASURED_AT_ONCE = 64;

interface Named {
  readonly raw: Buffer;
  readonly name: string;
  readonly kind: FolderEntry['kind'];
}

interface Measured extends Named {
  readonly bytes: number | null;
  readonly modifiedMs: number | null;
}

/** A page of a folder: folders first, then in the order that was asked for. */
export async function listFolder(reached: ReachedFile, order: Order): Promise<FolderPage> {
  if (!reached.isFolder) throw new FileRefused('not-a-folder');
  const { entries: all, isComplete } = await readNames(reached.link);
  const { sort, isDescending, offset, limit } = order;
  const sign = isDescending ? -1 : 1;
  const byName = (one: Named, other: Named): number => (one.name < other.name ? -1 : 1);
  const compare = comparisonOf(sort, byName);
  const sorted = (sort === 'name' ? unmeasured(all) : await measure(reached.link, all)).toSorted(
    (one, other) =>
      Number(other.kind === 'folder') - Number(one.kind === 'folder') ||
      sign * (compare(one, other) || byName(one, other)),
  );
  const page = await measure(reached.link, sorted.slice(offset, offset + limit));
  return {
    ...{ offset, total: all.length, isComplete, isWritable: reached.isWritable },
    entries: fitting(page.map(toEntry)),
  };
}

/** The allowed folders, by their paths. */
export async function listAllowedFolders(guard: FileGuard, { offset }: Order): Promise<FolderPage> {
  const folders = await guard.folders();
  const entries = folders.map(({ path }) => ({
    ...{ name: path, isExact: true, kind: 'folder', bytes: null, modifiedAt: null },
  })) as FolderEntry[];
  return {
    ...{ offset, total: entries.length, isComplete: true, isWritable: false },
    entries: fitting(entries.slice(offset)),
  };
}

async function readNames(
  link: string,
): Promise<{ readonly entries: Named[]; readonly isComplete: boolean }> {
  const entries: Named[] = [];
  // The types declare names as text; with this encoding they are bytes.
  const folder = await opendir(link, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 });
  for await (const entry of folder) {
    if (entries.length === FOLDER_ENTRIES_LIMIT) return { entries, isComplete: false };
    const raw = entry.name as unknown as Buffer;
    entries.push({ raw, name: raw.toString(), kind: kindOf(entry) });
  }
  return { entries, isComplete: true };
}

function kindOf(entry: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>) {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

const unmeasured = (entries: readonly Named[]): Measured[] =>
  entries.map((entry) => ({ ...entry, bytes: null, modifiedMs: null }));

/** An entry that has gone since has no size. */
async function measure(link: string, entries: readonly Named[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let at = 0; at < entries.length; at += MEASURED_AT_ONCE) {
    const some = entries.slice(at, at + MEASURED_AT_ONCE);
    measured.push(...(await Promise.all(some.map((entry) => measureOne(link, entry)))));
  }
  return measured;
}

async function measureOne(link: string, entry: Named): Promise<Measured> {
  const path = Buffer.concat([Buffer.from(`${link}/`), entry.raw]);
  const found = await lstat(path).catch(() => null);
  const bytes = entry.kind === 'file' ? (found?.size ?? null) : null;
  return { ...entry, bytes, modifiedMs: found?.mtimeMs ?? null };
}

function comparisonOf(
  sort: Order['sort'],
  byName: (one: Measured, other: Measured) => number,
): (one: Measured, other: Measured) => number {
  if (sort === 'bytes') return (one, other) => (one.bytes ?? -1) - (other.bytes ?? -1);
  if (sort === 'modifiedAt') return (one, other) => (one.modifiedMs ?? 0) - (other.modifiedMs ?? 0);
  return byName;
}

function toEntry({ raw, name, kind, bytes, modifiedMs }: Measured): FolderEntry {
  return {
    ...{ name, kind, bytes },
    isExact: Buffer.from(name).equals(raw),
    modifiedAt: modifiedMs === null ? null : dateOf(modifiedMs),
  };
}

/** File systems can contain times that are no dates, or in years of more than four digits. */
function dateOf(ms: number): string | null {
  const date = new Date(ms);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
}

/** As many as fit into a message. */
function fitting(entries: readonly FolderEntry[]): FolderEntry[] {
  let left = MOST_CHARACTERS;
  const end = entries.findIndex((entry) => (left -= JSON.stringify(entry).length) < 0);
  return entries.slice(0, end === -1 ? entries.length : Math.max(1, end));
}
