import { join } from 'node:path';
import type { FilesConfig } from '../config/config.ts';
import { createDirectoryFiles } from './directory-files.ts';
import type { FilePlace } from './file-place.ts';
import { nameOfFilePlace } from './name-of-file-place.ts';
import { openS3Place } from './s3-place.ts';

/** @throws StartError if it requires a package that is not installed */
export async function openFilePlace(config: FilesConfig, setting: string): Promise<FilePlace> {
  return config.kind === 's3'
    ? openS3Place(config, setting)
    : directoryPlace(nameOfFilePlace(config), setting);
}

export const directoryPlace = (directory: string, setting: string): FilePlace => ({
  name: directory,
  setting,
  open: (folder, layout) => createDirectoryFiles(join(directory, ...folder), layout),
});
