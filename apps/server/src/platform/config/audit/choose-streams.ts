import { resolve } from 'node:path';
import type { StreamsConfig } from '../config.ts';
import type { SettingValues } from '../settings.ts';

/** Receivers of all events of the audit trail. */
export function chooseStreams(values: SettingValues, workingDir: string): StreamsConfig {
  const { auditStreamSyslog, auditStreamSyslogCaFile: caFile, auditStreamUrl } = values;
  return {
    syslog:
      auditStreamSyslog === undefined
        ? undefined
        : { url: auditStreamSyslog, caFile: caFile && resolve(workingDir, caFile) },
    https:
      auditStreamUrl === undefined
        ? undefined
        : {
            url: auditStreamUrl,
            format: values.auditStreamFormat,
            authorization: values.auditStreamAuthorization,
            signingSecret: values.auditStreamSigningSecret,
          },
    showsPeople: values.auditStreamPeople === 'shown',
  };
}
