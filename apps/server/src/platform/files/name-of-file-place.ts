import type { FilesConfig } from '../config/config.ts';

/** How a place for files is named to operators. */
export const nameOfFilePlace = (config: FilesConfig): string =>
  config.kind === 's3' ? ['s3:/', config.bucket, ...config.prefix].join('/') : config.directory;
