import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Executor } from '../platform/database/database.ts';
import { findDocument } from './data/document-queries.ts';
import { findVersion } from './data/document-version-queries.ts';

/** A version of a document with everything needed to run it. */
export interface RunnableDocument {
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  /** State of the version; deprecated if the document is. */
  readonly state: DocumentState;
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  readonly description: string;
  readonly parsed: SsmDocument;
  readonly phases: DocumentPhases;
}

const REFERENCE = /^([a-zA-Z0-9_.-]{3,128})(?::([1-9]\d{0,8}))?$/;

/** The document for `name` or `name:version`; undefined if it does not exist. */
export async function findRunnableDocument(
  executor: Executor,
  reference: string,
): Promise<RunnableDocument | undefined> {
  const [, name, number] = REFERENCE.exec(reference) ?? [];
  if (name === undefined) return undefined;
  const document = await findDocument(executor, name);
  if (document === undefined) return undefined;
  // Without a default version, the latest shows what is waiting for approval.
  const wanted =
    number === undefined ? (document.defaultVersion ?? document.latestVersion) : Number(number);
  const version = await findVersion(executor, name, wanted);
  if (version === undefined) return undefined;
  return {
    name,
    version: version.version,
    sha256: version.sha256,
    state: document.state === 'deprecated' ? 'deprecated' : version.state,
    consequence: version.consequence,
    secretParameters: version.secretParameters,
    description: document.description,
    parsed: version.parsed,
    phases: version.phases,
  };
}
