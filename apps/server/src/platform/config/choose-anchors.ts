import { resolve } from 'node:path';
import type { AnchorsConfig } from './config.ts';
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
    tsaCaFile,
    tsa:
      tsaUrl === undefined || tsaCaFile === undefined
        ? undefined
        : { url: tsaUrl, caFile: tsaCaFile, everyMs: values.auditAnchorTsaSeconds * 1_000 },
  };
}
