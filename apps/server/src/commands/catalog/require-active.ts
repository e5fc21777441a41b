import { refuse } from '@deviceportal/contract/refuse';
import { findRoleNamesHolding } from '../../access/data/role-queries.ts';
import type { ResolvedCommand } from './resolve-command.ts';
import { lockVersionState } from '../../documents/data/document-version-queries.ts';
import type { RunnableDocument } from '../../documents/find-runnable-document.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';

/**
 * Requires an approved version.
 *
 * @throws PortalError 2004 if the version is not active; facts contain who can approve it
 */
async function requireActive(
  executor: Executor,
  document: Pick<RunnableDocument, 'name' | 'version' | 'state'>,
): Promise<void> {
  const { name, version, state } = document;
  if (state === 'active') return;
  const roles = await findRoleNamesHolding(executor, 'documents:approve');
  throw refuse('document-not-active', {
    field: 'document',
    facts: {
      document: name,
      version,
      state,
      permission: 'documents:approve',
      approverRoles: roles.join(', '),
    },
  });
}

/** Requires approved versions of a document and of its sub-documents. */
export async function requireAllActive(
  executor: Executor,
  resolved: Pick<ResolvedCommand, 'document' | 'subDocuments'>,
): Promise<void> {
  for (const document of [resolved.document, ...resolved.subDocuments]) {
    await requireActive(executor, document);
  }
}

/** Checks again in the transaction of the run, so that a concurrent deprecation is committed before or after it. */
export async function requireStillActive(
  tx: Transaction,
  resolved: Pick<ResolvedCommand, 'document' | 'subDocuments'>,
): Promise<void> {
  for (const document of [resolved.document, ...resolved.subDocuments]) {
    const state = (await lockVersionState(tx, document)) ?? 'deprecated';
    await requireActive(tx, { ...document, state });
  }
}
