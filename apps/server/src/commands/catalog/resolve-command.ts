import { PortalError } from '@deviceportal/contract/errors';
import { furtherReaching } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  findRunnableDocument,
  type RunnableDocument,
} from '../../documents/find-runnable-document.ts';
import {
  consequenceWith,
  findSubDocuments,
  type SubDocument,
} from '../../documents/sub-documents.ts';
import type { Executor } from '../../platform/database/database.ts';
import {
  documentNeedsSerialNumber,
  findCommand,
  findCommands,
  type StoredCommand,
} from '../data/command-definition-queries.ts';
import type { Runnable } from '../run-policy.ts';

/** A catalog entry with the document to run. */
export interface ResolvedCommand extends Runnable {
  readonly entry: StoredCommand;
  readonly document: RunnableDocument;
  /** Sub-documents (`aws:runDocument`) in their current versions. */
  readonly subDocuments: readonly SubDocument[];
  readonly needsSerialNumber: boolean;
}

/**
 * @param reference `name` or `name:version`; empty for the default document of the entry
 * @throws PortalError 4002 for an unknown command (facts: similar names); 2003 for an unknown document; 2004 if a
 * document must be chosen first or its state does not allow runs
 */
export async function resolveCommand(
  executor: Executor,
  command: string,
  reference: string,
): Promise<ResolvedCommand> {
  const entry = await findCommand(executor, command);
  if (entry === undefined) throw await commandNotFound(executor, command);
  const wanted = reference || entry.documentName;
  if (wanted === null) {
    throw refuse('document-not-chosen', { field: 'document', facts: { command } });
  }
  const document = await findRunnableDocument(executor, wanted);
  if (document === undefined) throw new PortalError('notFound', { facts: { document: wanted } });
  const subDocuments = await findSubDocuments(executor, document);
  const reach = consequenceWith(document.consequence, subDocuments);
  const ownDocument = document.name === entry.documentName;
  return {
    entry,
    document,
    subDocuments,
    command,
    ownDocument,
    // A custom version can have a more severe consequence than the catalog entry, never a less severe one.
    consequence: ownDocument ? furtherReaching(entry.consequence, reach) : reach,
    needsSerialNumber:
      entry.needsSerialNumber || (await documentNeedsSerialNumber(executor, document.name)),
  };
}

async function commandNotFound(executor: Executor, command: string): Promise<PortalError> {
  const name = command.split('/')[0] ?? '';
  const all = (await findCommands(executor)).map((entry) => entry.command);
  const siblings = all.filter((known) => known.split('/')[0] === name);
  const near = all.filter((known) => known.startsWith(name.slice(0, 3)) || known.includes(name));
  const nearest = siblings.length > 0 ? siblings : near;
  return new PortalError('commandNotFound', {
    facts: { command, nearest: nearest.slice(0, 10).join(', ') },
  });
}
