import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { readableName } from './readable-name.ts';

const BUILTIN = 'DevicePortal-';

/** Parameters of built-in documents. */
const translated: Readonly<Record<string, readonly string[]>> = {
  'config-set': ['key', 'value'],
  'config-show': ['key'],
  'logs-collect': ['hours'],
  'logs-tail': ['lines', 'path', 'contains'],
  'network-diagnose': ['host'],
  'network-dns': ['name'],
  'network-ping': ['host', 'count'],
  'process-kill': ['pid', 'force'],
  'process-top': ['count', 'by'],
  'restart-service': ['service'],
  'service-status': ['service', 'lines'],
  shell: ['script'],
  'software-install': ['component', 'version', 'source', 'sha256'],
  'software-rollback': ['component', 'version'],
  'storage-clean': ['days', 'dryRun'],
  'storage-usage': ['path', 'top'],
};

function knownOf(documentName: string | null): readonly string[] {
  if (documentName === null || !documentName.startsWith(BUILTIN)) return [];
  return translated[documentName.slice(BUILTIN.length)] ?? [];
}

/** The label of a parameter: translated for built-in documents, otherwise its name in words. */
export function parameterTitle(documentName: string | null, name: string, t: Translate): string {
  if (!knownOf(documentName).includes(name)) return readableName(name);
  return t(`commands.parameterName.${name}` as MessageKey);
}

/** The description of a parameter, translated for built-in documents. */
export function parameterAbout(
  documentName: string | null,
  [name, parameter]: readonly [string, DocumentParameter],
  t: Translate,
): string | undefined {
  if (documentName === null || !knownOf(documentName).includes(name)) return parameter.description;
  const key = `${documentName.slice(BUILTIN.length)}.${name}`;
  return t(`commands.parameter.${key}` as MessageKey);
}
