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
 * One version as the content that SSM's CreateDocument takes: exactly as it was written, or converted to the other
 * form with the order of everything kept (comments do not survive into JSON). For another portal, with what stands
 * beside it.
 *
 * @throws PortalError 2003 when there is no such document or version
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

/** Text and what stands beside it; `aws ssm` takes the file's other keys as `--cli-input-json`. */
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
  // Scripts stay blocks that can be read; nothing is folded, for folding could change what a script says.
  return stringify(document, { lineWidth: 0, blockQuote: 'literal' });
}

function beyondSsm({ mainSteps }: SsmDocument): string[] {
  return mainSteps.flatMap((step, index) =>
    agentOnlyInputs[step.action]
      .filter((input) => Object.hasOwn(step.inputs, input))
      .map((input) => `mainSteps.${index}.inputs.${input}`),
  );
}

/** A text is handed out as it was written: what SSM looks for elsewhere is named. */
function misplaced(content: string): string[] {
  // That its keys are unique was seen when it was kept.
  const { mainSteps } = parse(content, { uniqueKeys: false }) as {
    readonly mainSteps: readonly unknown[];
  };
  return mainSteps.flatMap((step, index) =>
    misplacedSharedInputs(step).map((name) => `mainSteps.${index}.${name}`),
  );
}
