import { sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';
import { parseDocumentText } from './document-text.ts';

/** How `jsonb` writes a document: keys by length, so `mainSteps` first, with a space. We write none. */
const SORTED_BY_JSONB = '{"mainSteps": %';

interface SortedVersion {
  readonly name: string;
  readonly version: number;
  readonly content: string;
}

/**
 * Earlier releases kept parsed documents as `jsonb`, which sorts the parameters. The text still has their order: it is
 * read again, once.
 */
export async function keepParameterOrder(tx: Transaction): Promise<void> {
  const { rows } = await tx.execute(sql`
    select document_name as name, version, content from document_version
    where parsed::text like ${SORTED_BY_JSONB}`);
  for (const { name, version, content } of rows as unknown as SortedVersion[]) {
    const { value, problems } = parseDocumentText(content);
    // What a later rule would refuse runs as it did.
    if (problems.length > 0) continue;
    await tx.execute(sql`
      update document_version set parsed = ${JSON.stringify(value)}::json
      where document_name = ${name} and version = ${version}`);
  }
}
