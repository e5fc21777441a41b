import { isAbsolute, relative, sep } from 'node:path';
import type { Config, FilesConfig } from './config.ts';
import { readS3Location } from './file-location.ts';

type PlaceSettings = Pick<Config, 'dataDir' | 'files' | 'region' | 'reports'>;

/** The place with a name (`directory` or `s3://bucket/prefix`), with the endpoint of the settings. */
export function filesAt(config: PlaceSettings, name: string): FilesConfig | undefined {
  if (name === 'directory') return { kind: 'directory', directory: config.dataDir };
  const found = readS3Location(name);
  if (found === undefined) return undefined;
  const configured = [config.files, config.reports].find((each) => each.kind === 's3');
  return { kind: 's3', ...found, region: config.region, endpoint: configured?.endpoint };
}

/** The folder of reports in the place of the other files; undefined if they are elsewhere. */
export function reportsWithin({ files, reports }: PlaceSettings): readonly string[] | undefined {
  if (files.kind === 'directory') {
    if (reports.kind !== 'directory') return undefined;
    const path = relative(files.directory, reports.directory);
    return path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).filter(Boolean);
  }
  const isInside =
    reports.kind === 's3' &&
    reports.bucket === files.bucket &&
    files.prefix.every((segment, index) => reports.prefix[index] === segment);
  return isInside ? reports.prefix.slice(files.prefix.length) : undefined;
}
