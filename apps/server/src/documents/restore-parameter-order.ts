import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { Transaction } from '../platform/database/database.ts';
import { findVersionsSortedByJsonb, updateParsed } from './data/document-version-queries.ts';
import { parseDocumentText } from './document-text.ts';

/**
 * Earlier releases stored parsed documents as `jsonb`, which sorts the parameters. Restores their order by parsing the
 * text again, once.
 */
export async function restoreParameterOrder(tx: Transaction): Promise<void> {
  for (const { name, version, content } of await findVersionsSortedByJsonb(tx)) {
    const { value, problems } = parseDocumentText(content);
    // Texts that newer rules reject are not changed.
    if (problems.length > 0) continue;
    await updateParsed(tx, { name, version }, value as SsmDocument);
  }
}
