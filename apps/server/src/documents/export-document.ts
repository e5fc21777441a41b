import { parse, stringify } from 'yaml';
import type { z } from 'zod';
import type {
  BesideText,
  exportDocumentInput,
  ExportedDocument,
} from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import {
  misplacedSharedInputs,
  sinkSharedInputs,
  type SsmDocument,
} from '@deviceportal/contract/ssm-document';
import type { Database } from '../platform/database/database.ts';
import { findDocument } from './data/document-queries.ts';
import { findVersion, type StoredVersion } from './data/document-version-queries.ts';
import { agentOnlyInputs } from './step-inputs.ts';
import { textSha256 } from './text-sha256.ts';

/**
 * Exports a version as the content for SSM's CreateDocument: as entered, or converted to the other format with the same
 * order (JSON drops comments). The export for another portal also contains consequence, secrets, and phases.
 *
 * @throws PortalError 2003 if the document or version does not exist
 */
export async function exportDocument(
  { database }: { readonly database: Database },
  { name, version: wanted, format }: z.infer<typeof exportDocumentInput>,
): Promise<ExportedDocument> {
  const document = await findDocument(database.orm, name);
  const number = wanted ?? document?.defaultVersion ?? document?.latestVersion ?? 0;
  const version = await findVersion(database.orm, name, number);
  if (version === undefined) {
    throw new PortalError('notFound', { facts: { document: name, version: wanted } });
  }
  if (format === 'PORTAL') return exportForPortal(name, version);
  const isJson = (format ?? version.format) === 'JSON';
  const content = contentAs(isJson ? 'JSON' : 'YAML', version);
  return {
    fileName: `${name}-v${version.version}.${isJson ? 'json' : 'yaml'}`,
    mediaType: isJson ? 'application/json' : 'application/yaml',
    content,
    sha256: textSha256(content),
    beyondSsm: [...beyondSsm(version.parsed), ...misplaced(content)],
  };
}

/** Text, consequence, secrets, and phases. `aws ssm` accepts the other keys of the file as `--cli-input-json`. */
function exportForPortal(name: string, version: StoredVersion): ExportedDocument {
  const { consequence, secretParameters, phasesText } = version;
  const beside: BesideText = { consequence, secretParameters: [...secretParameters], phasesText };
  const whole = {
    Name: name,
    DocumentType: 'Command',
    DocumentFormat: version.format,
    Content: version.content,
    DevicePortal: beside,
  };
  const content = `${JSON.stringify(whole, null, 2)}\n`;
  return {
    fileName: `${name}-v${version.version}.deviceportal.json`,
    mediaType: 'application/json',
    content,
    sha256: textSha256(content),
    beyondSsm: ['DevicePortal'],
  };
}

function contentAs(
  format: 'JSON' | 'YAML',
  version: Pick<StoredVersion, 'format' | 'content' | 'parsed'>,
): string {
  if (format === version.format) return version.content;
  const document = sinkSharedInputs(version.parsed);
  if (format === 'JSON') return `${JSON.stringify(document, null, 2)}\n`;
  // Scripts stay readable literal blocks. Lines are not folded, because folding could change a script.
  return stringify(document, { lineWidth: 0, blockQuote: 'literal' });
}

function beyondSsm({ mainSteps }: SsmDocument): string[] {
  return mainSteps.flatMap((step, index) =>
    agentOnlyInputs[step.action]
      .filter((input) => Object.hasOwn(step.inputs, input))
      .map((input) => `mainSteps.${index}.inputs.${input}`),
  );
}

/** Texts are exported as entered, so inputs that SSM expects in another place are listed. */
function misplaced(content: string): string[] {
  // Unique keys were checked when the text was stored.
  const { mainSteps } = parse(content, { uniqueKeys: false }) as {
    readonly mainSteps: readonly unknown[];
  };
  return mainSteps.flatMap((step, index) =>
    misplacedSharedInputs(step).map((name) => `mainSteps.${index}.${name}`),
  );
}
