import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { createDocumentInput, DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { insertVersion } from './document-store.ts';
import { getDocument } from './get-document.ts';
import { textSha256 } from './text-sha256.ts';
import { requireValidDocument } from './validate-document.ts';

const RELEASE_PREFIX = 'deviceportal-';

export interface CreateDocument extends z.infer<typeof createDocumentInput> {
  readonly origin: RequestOrigin;
}

/**
 * A new document, as a draft: it can be run once it has been activated.
 *
 * @throws PortalError 2004 when the name is taken, the text is not valid or a secret parameter is not declared
 */
export async function createDocument(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: CreateDocument,
): Promise<DocumentDetail> {
  requireFreeName(input.name);
  const { format, document } = requireValidDocument(input.content);
  requireDeclared(document, input.secretParameters);
  const now = deps.clock();
  const sha256 = textSha256(input.content);
  await inTransaction(deps.database, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      insert into document (name, description, consequence, secret_parameters, labels, state, builtin,
                            default_version, latest_version, created_at, updated_at, updated_by)
      values (${input.name}, ${input.description || (document.description ?? '')}, ${input.consequence},
              ${JSON.stringify(input.secretParameters)}::jsonb, ${JSON.stringify(input.labels)}::jsonb, 'draft',
              false, 1, 1, ${now.toISOString()}, ${now.toISOString()}, ${viewer.username})
      on conflict (name) do nothing`);
    if (rowCount === 0) {
      const issues = [{ path: ['name'], message: 'is taken by another document' }];
      throw new PortalError('invalidParameters', { issues, facts: { document: input.name } });
    }
    await insertVersion(tx, {
      name: input.name,
      version: 1,
      format,
      content: input.content,
      parsed: document,
      sha256,
      note: input.note,
      createdBy: viewer.username,
      createdAt: now,
    });
    await recordAudit(tx, [
      {
        type: 'document.created',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        at: now,
        data: { document: input.name, version: 1, sha256, consequence: input.consequence },
      },
    ]);
  });
  return getDocument(deps, input.name);
}

/** A later release may bring a document of such a name, and its command would run the text that is there already. */
function requireFreeName(name: string): void {
  if (!name.toLowerCase().startsWith(RELEASE_PREFIX)) return;
  const issues = [{ path: ['name'], message: 'names of this kind come with Device Portal' }];
  throw new PortalError('invalidParameters', { issues, facts: { document: name } });
}

function requireDeclared(document: SsmDocument, secretParameters: readonly string[]): void {
  const issues = secretParameters
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => !Object.hasOwn(document.parameters ?? {}, name))
    .map(({ name, index }) => ({
      path: ['secretParameters', index],
      message: `"${name}" is not a parameter of the document`,
    }));
  if (issues.length > 0) throw new PortalError('invalidParameters', { issues });
}
