import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RunCommand } from '../platform/aws/run-command.ts';
import type { Database } from '../platform/database/database.ts';
import {
  findPublished,
  forgetPublished,
  storePublished,
} from './data/published-document-queries.ts';

export interface PublisherDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly api: Pick<RunCommand, 'findDocument' | 'addDocument'>;
  readonly region: string;
}

export interface PublishedDocument {
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  readonly hashType: string;
}

/** Systems Manager has not finished creating the document. */
export class DocumentNotReady extends Error {}

/** The version name is in use for a document with different content. */
export class DocumentDiffers extends Error {}

const versionNameOf = (sha256: string): string => `sha256-${sha256.slice(0, 40)}`;

/**
 * Publishes a content as a document version of Systems Manager, once: what is published is remembered, and its version is
 * named by its digest.
 *
 * @param content JSON
 * @throws DocumentNotReady, DocumentDiffers
 */
export async function publishDocument(
  { database, api, region }: PublisherDeps,
  { name, content }: { readonly name: string; readonly content: string },
): Promise<PublishedDocument> {
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  const key = { region, name, contentSha256 };
  const known = await findPublished(database.orm, key);
  if (known !== undefined) return known;
  const wanted = { name, versionName: versionNameOf(contentSha256) };
  let found = await api.findDocument(wanted);
  if (found === undefined) {
    await api.addDocument({ ...wanted, content });
    found = await api.findDocument(wanted);
  }
  if (found?.isActive !== true)
    throw new DocumentNotReady(`the document ${name} is not active yet`);
  if (!isDeepStrictEqual(JSON.parse(found.content), JSON.parse(content)))
    throw new DocumentDiffers(`the document ${name} in Systems Manager has another content`);
  const { version, hash, hashType } = found;
  await storePublished(database.orm, { ...key, version, hash, hashType });
  return { name, version, hash, hashType };
}

/** Call if Systems Manager does not know a published document. */
export async function forgetDocument(
  { database, region }: Pick<PublisherDeps, 'database' | 'region'>,
  { name, content }: { readonly name: string; readonly content: string },
): Promise<void> {
  const contentSha256 = createHash('sha256').update(content).digest('hex');
  await forgetPublished(database.orm, { region, name, contentSha256 });
}
