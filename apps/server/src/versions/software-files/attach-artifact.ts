import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Executor } from '../../platform/database/database.ts';
import { lockSoftware, setSoftwareArtifact } from '../data/software-queries.ts';
import type { SoftwareUpload } from './sign-software-url.ts';
import { queueSoftware } from '../software-table/queue-software.ts';
import type { VersionsDeps } from '../versions-deps.ts';

/**
 * Whether a file may be attached to a version: an approved version does not change.
 * @throws PortalError 2003 for an unknown version; 2004 otherwise
 */
export async function requireOpenForArtifact(
  on: Executor,
  { component, version }: Pick<SoftwareUpload, 'component' | 'version'>,
): Promise<string | null> {
  const held = await lockSoftware(on, { component, version });
  if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
  const isOpen = held.state === 'draft' || (held.state === 'approved' && held.artifactKey === null);
  if (isOpen) return held.artifactKey;
  throw refuse('version-file-fixed', { facts: { component, version, state: held.state } });
}

/** Makes a stored file the artifact of a version. Returns the key of the replaced file, if any. */
export function attachArtifact(
  deps: VersionsDeps,
  input: {
    readonly upload: SoftwareUpload;
    readonly stored: {
      readonly storageKey: string;
      readonly bytes: number;
      readonly sha256: string;
    };
    readonly actor: AuditActorDraft;
    readonly requestId: string;
  },
): Promise<string | null> {
  const { upload, stored } = input;
  return inTransaction(deps.database, async (tx) => {
    const replaced = await requireOpenForArtifact(tx, upload);
    await setSoftwareArtifact(tx, upload, { name: upload.name, ...stored });
    await queueSoftware(tx, [upload]);
    await recordAudit(tx, [
      {
        type: 'version.artefact-added',
        actor: input.actor,
        requestId: input.requestId,
        at: deps.clock(),
        data: { ...upload, bytes: stored.bytes, sha256: stored.sha256 },
      },
    ]);
    return replaced;
  });
}
