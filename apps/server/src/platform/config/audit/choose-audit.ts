import { resolve } from 'node:path';
import { chooseAnchors } from '../choose-anchors.ts';
import type { AuditConfig } from '../config.ts';
import type { SettingValues } from '../settings.ts';
import { chooseStreams } from './choose-streams.ts';

export const chooseAudit = (values: SettingValues, workingDir: string): AuditConfig => ({
  keysFile: values.auditKeysFile && resolve(workingDir, values.auditKeysFile),
  anchors: chooseAnchors(values, workingDir),
  streams: chooseStreams(values, workingDir),
});
