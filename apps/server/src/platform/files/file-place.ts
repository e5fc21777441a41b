import type { DirectoryLayout } from './directory-files.ts';
import type { FileStore } from './file-store.ts';

/** A place for the files of several nouns, each of which has its own folder. */
export interface FilePlace {
  /** A path, or `s3://bucket/prefix`. */
  readonly name: string;
  /** The environment variable that names it. */
  readonly setting: string;
  /** @param folder segments of a path; none for the place itself */
  open(folder: readonly string[], layout?: DirectoryLayout): FileStore;
}
