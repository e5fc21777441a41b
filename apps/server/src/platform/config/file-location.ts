import { InvalidValue, type Setting, type SettingWords } from './setting.ts';

/** Bucket and folder; segments of the folder are those of keys. */
export const S3_URL =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,127}){0,8})\/?$/;
export const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;

/**
 * A place for files: the fallback, or a folder if those are allowed, or `s3://bucket/prefix`.
 */
export function fileLocation(
  words: SettingWords,
  { fallback, folders }: { readonly fallback: string; readonly folders: boolean },
): Setting<string> {
  const local = folders ? 'a folder' : `"${fallback}"`;
  return {
    ...words,
    type: `${folders ? 'folder' : fallback} or s3://bucket/prefix`,
    default: fallback,
    defaultText: fallback,
    parse(value) {
      const isLocal = folders ? value.trim() !== '' && !SCHEME.test(value) : value === fallback;
      if (isLocal || S3_URL.test(value)) return value;
      throw new InvalidValue(`must be ${local} or have the form s3://bucket/prefix`);
    },
  };
}

/** Undefined for a local place. */
export function readS3Location(
  location: string,
): { readonly bucket: string; readonly prefix: readonly string[] } | undefined {
  const [, bucket, path = ''] = S3_URL.exec(location) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: path.split('/').filter(Boolean) };
}
