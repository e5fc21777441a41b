import { resolve } from 'node:path';
import type { Config, FilesConfig } from './config.ts';
import { readS3Location } from './file-location.ts';
import type { ReadValues } from './read-values.ts';

/** Where files and reports are. Reports are beside the other files by default. */
export function chooseFiles(
  { values, given }: ReadValues,
  dataDir: string,
): Pick<Config, 'files' | 'reports'> {
  const { region, filesEndpoint: endpoint, reportLocation } = values;
  const at = (location: string, directory: string): FilesConfig => {
    const found = readS3Location(location);
    return found === undefined
      ? { kind: 'directory', directory }
      : { kind: 's3', ...found, region, endpoint };
  };
  const files = at(values.files, dataDir);
  if (files.kind === 's3' && !given.has('reportLocation')) {
    return { files, reports: { ...files, prefix: [...files.prefix, reportLocation] } };
  }
  return { files, reports: at(reportLocation, resolve(dataDir, reportLocation)) };
}
