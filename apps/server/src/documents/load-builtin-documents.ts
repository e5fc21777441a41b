import { readdir, readFile } from 'node:fs/promises';
import type { Consequence } from '@deviceportal/contract/permissions';
import { releaseNotes } from '@deviceportal/contract/release-notes';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { insertDocument, lockDocument, updateDocument } from './data/document-queries.ts';
import { findVersion, hasVersionText, insertVersion } from './data/document-version-queries.ts';
import { restoreParameterOrder } from './restore-parameter-order.ts';
import { versionSha256 } from './text-sha256.ts';
import { requireValidDocument } from './validate-document.ts';

/** Author of the versions of a release. */
const RELEASE_AUTHOR = 'Device Portal';

const folder = new URL('./builtin/', import.meta.url);

export interface BuiltinDocument {
  readonly name: string;
  readonly content: string;
  readonly phasesText?: string;
}

/** Reads `documents/builtin`: the name of a file is the name of its document; phases are in `name.phases.yaml`. */
export async function readBuiltinDocuments(): Promise<readonly BuiltinDocument[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).toSorted();
  const textOf = (file: string): Promise<string> => readFile(new URL(file, folder), 'utf8');
  const own = files.filter((file) => !file.endsWith('.phases.yaml'));
  return Promise.all(
    own.map(async (file) => {
      const name = file.slice(0, -'.yaml'.length);
      const beside = `${name}.phases.yaml`;
      const phasesText = files.includes(beside) ? await textOf(beside) : '';
      return { name, content: await textOf(file), phasesText };
    }),
  );
}

export interface LoadBuiltinDocuments {
  readonly database: Database;
  readonly clock: () => Date;
  /** Consequence of each document, by name. */
  readonly consequences: Readonly<Record<string, Consequence>>;
  readonly documents?: readonly BuiltinDocument[];
}

/**
 * Stores the documents of the release. Idempotent. A changed text becomes a new version, which becomes the default
 * unless a user has set another default version.
 */
export async function loadBuiltinDocuments(options: LoadBuiltinDocuments): Promise<void> {
  const documents = options.documents ?? (await readBuiltinDocuments());
  await inTransaction(options.database, async (tx) => {
    // Several servers of an installation can start at the same time.
    await holdUntilCommit(tx, 'load-builtin-documents');
    await restoreParameterOrder(tx);
    for (const builtin of documents) await loadOne(tx, builtin, options);
  });
}

async function loadOne(
  tx: Transaction,
  builtin: BuiltinDocument,
  options: LoadBuiltinDocuments,
): Promise<void> {
  const { content, phasesText = '' } = builtin;
  const sha256 = versionSha256({ content, phasesText });
  if (await hasVersionText(tx, builtin.name, sha256)) return;
  const { format, document: parsed, phases } = requireValidDocument(content, phasesText);
  const now = options.clock();
  const known = await lockDocument(tx, builtin.name);
  const version = (known?.latestVersion ?? 0) + 1;
  await insertVersion(tx, {
    name: builtin.name,
    version,
    format,
    content,
    parsed,
    phasesText,
    phases,
    sha256,
    note: known === undefined ? releaseNotes.included : releaseNotes.changed,
    state: known?.state === 'deprecated' ? 'deprecated' : 'active',
    consequence: options.consequences[builtin.name] ?? 'disrupts',
    secretParameters: [],
    createdBy: RELEASE_AUTHOR,
    createdById: null,
    createdAt: now,
  });
  if (known === undefined) {
    await insertDocument(tx, {
      name: builtin.name,
      description: parsed.description ?? '',
      ...{ state: 'active', builtin: true, defaultVersion: 1, at: now, by: RELEASE_AUTHOR },
    });
  } else {
    const chosen = await findVersion(tx, builtin.name, known.defaultVersion ?? 0);
    const follows = chosen === undefined || chosen.createdBy === RELEASE_AUTHOR;
    await updateDocument(tx, builtin.name, {
      latestVersion: version,
      ...(follows ? { defaultVersion: version } : {}),
      at: now,
      by: RELEASE_AUTHOR,
    });
  }
  await recordAudit(tx, [
    {
      type: known === undefined ? 'document.created' : 'document.version-added',
      actor: systemActor,
      at: now,
      data: { document: builtin.name, version, sha256, builtin: true },
    },
  ]);
}
