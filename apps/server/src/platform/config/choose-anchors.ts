import { resolve } from 'node:path';
import type { AnchorBucketConfig, AnchorsConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/** Anchors outside the database that store blocks of the audit trail. */
export function chooseAnchors(values: SettingValues, workingDir: string): AnchorsConfig {
  const path = (file: string | undefined): string | undefined => file && resolve(workingDir, file);
  const { auditAnchorSyslog: syslogUrl, auditAnchorTsa: tsaUrl, auditAnchorTsaCaFile } = values;
  const tsaCaFile = path(auditAnchorTsaCaFile);
  return {
    file: path(values.auditAnchorFile),
    syslog:
      syslogUrl === undefined
        ? undefined
        : { url: syslogUrl, caFile: path(values.auditAnchorSyslogCaFile) },
    bucket: chooseBucket(values),
    tsaCaFile,
    tsa:
      tsaUrl === undefined || tsaCaFile === undefined
        ? undefined
        : { url: tsaUrl, caFile: tsaCaFile, everyMs: values.auditAnchorTsaSeconds * 1_000 },
  };
}

function chooseBucket(values: SettingValues): AnchorBucketConfig | undefined {
  if (values.auditAnchorS3 === undefined) return undefined;
  const { hostname: bucket, pathname } = new URL(values.auditAnchorS3);
  const path = pathname.replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region: values.region,
    endpoint: values.auditAnchorS3Endpoint,
    lockDays: values.auditAnchorS3Days,
    everyMs: values.auditAnchorS3Seconds * 1_000,
  };
}
