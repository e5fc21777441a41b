import { sql } from 'drizzle-orm';
import { contentOfRun, type DocumentPhases } from '@deviceportal/contract/document-phases';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { CommandMessage, OfferedSoftware } from '@deviceportal/device-protocol/messages';
import type { Database } from '../../platform/database/database.ts';
import type { DownMessage } from '../../gateway/device-transport.ts';
import { valuesOf, withStoreDefaults } from '../resolve-store-values.ts';
import type { PinnedDocument } from '../run-insert-store.ts';
import { findRunnableDocument } from '../../documents/find-runnable-document.ts';
import { sentSubDocument } from '../../documents/sub-documents.ts';
import { openStore } from '../store-vault.ts';
import type { StoreValues } from '@deviceportal/contract/store-references';
import type { ParameterValues, ParameterVault } from '../parameter-vault.ts';
import type { ClaimedInvocation } from './claim-invocations.ts';
import { neededSoftware, type NeededSoftware } from './needed-software.ts';

export interface CommandMessageDeps {
  readonly database: Pick<Database, 'orm'>;
  /** Opens secret parameters; the plain text goes into the message and nowhere else. */
  readonly vault: Pick<ParameterVault, 'open' | 'openText'>;
  /** Where the invocation's collected files go, valid until the time given; null where there is no store. */
  readonly artefactUploadUrl: (invocationId: string, validUntil: Date) => string | null;
  /** Files of versions that the portal keeps; absent where it keeps none. */
  readonly software?: {
    readonly find: (wanted: readonly NeededSoftware[]) => Promise<readonly FoundSoftware[]>;
    /** A link for one device, valid until the time given. */
    readonly sign: (found: FoundSoftware, deviceId: string, validUntil: Date) => string;
  };
}

/** The file of a version. */
export interface FoundSoftware extends NeededSoftware {
  readonly storageKey: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface RunContent {
  readonly documentName: string;
  readonly documentVersion: number;
  readonly content: SsmDocument;
  readonly phases: DocumentPhases;
  readonly parameters: Record<string, unknown>;
  readonly executionTimeoutSeconds: number;
  readonly holder: string | null;
  readonly undoesRunId: string | null;
  readonly subDocuments: readonly PinnedDocument[];
}

interface RunToSend extends RunContent {
  /** What the document installs from here. A version that is blocked meanwhile is not served any more. */
  readonly software: readonly FoundSoftware[];
  /** In the clear: for devices alone. */
  readonly values: ParameterValues;
  readonly storeValues: StoreValues;
  /** What the document runs, by the reference of its step. */
  readonly documents: CommandMessage['documents'];
}

/** Contents of documents never change within a version: kept for the runs that are being sent. */
const MAX_REMEMBERED_RUNS = 64;

/** Makes the messages of a run's invocations; document and parameters are read once for a run. */
export class CommandMessages {
  readonly #deps: CommandMessageDeps;
  readonly #runs = new Map<string, RunToSend>();

  constructor(deps: CommandMessageDeps) {
    this.#deps = deps;
  }

  async make(runId: string, claimed: readonly ClaimedInvocation[]): Promise<DownMessage[]> {
    const run = await this.#load(runId);
    if (!run) return [];
    // All but five fields are the same for every device: written once.
    const { documentName, documentVersion, executionTimeoutSeconds, holder, undoesRunId } = run;
    const isUndo = undoesRunId !== null;
    const { content, counts } = contentOfRun(run.content, run.phases, isUndo);
    const shared = {
      runId,
      documentName,
      documentVersion,
      content,
      phases: counts,
      isUndo,
      parameters: run.values,
      storeValues: run.storeValues,
      documents: run.documents,
      executionTimeoutSeconds,
      holder,
    };
    const notesOf = await this.#undoNotes(run, claimed);
    const tail = JSON.stringify(shared satisfies Partial<CommandMessage>).slice(1);
    return claimed.map(({ id, deviceId, attempt, deliverBefore, expiresAt }) => {
      const own: Partial<CommandMessage> = {
        invocationId: id,
        attempt,
        undoNotesOf: notesOf(id, deviceId),
        deliverBefore: deliverBefore.toISOString(),
        artefactUploadUrl: this.#deps.artefactUploadUrl(id, expiresAt),
        ...(run.software.length > 0 && {
          software: run.software.map((found) => this.#offer(found, deviceId, expiresAt)),
        }),
      };
      const payload = `${JSON.stringify(own).slice(0, -1)},${tail}`;
      return { deviceId, channel: 'command', payload, qos: 1 };
    });
  }

  #offer(found: FoundSoftware, deviceId: string, validUntil: Date): OfferedSoftware {
    const { component, version, bytes, sha256 } = found;
    const url = this.#deps.software?.sign(found, deviceId, validUntil) ?? '';
    return { component, version, url, sha256, bytes };
  }

  /** Under which invocation a device keeps what an undo needs: its own, or in an undo the one that is taken back. */
  async #undoNotes(
    { phases, undoesRunId }: RunContent,
    claimed: readonly ClaimedInvocation[],
  ): Promise<(invocationId: string, deviceId: string) => string | null> {
    if (phases.undo === undefined) return () => null;
    if (undoesRunId === null) return (invocationId) => invocationId;
    const { rows } = await this.#deps.database.orm.execute<{ id: string; deviceId: string }>(sql`
      select id, device_id as "deviceId" from invocation
      where run_id = ${undoesRunId}
        and device_id = any(${sql.param(claimed.map(({ deviceId }) => deviceId))}::uuid[])`);
    const undone = new Map(rows.map(({ id, deviceId }) => [deviceId, id]));
    return (_own, deviceId) => undone.get(deviceId) ?? null;
  }

  async #subDocuments(pinned: readonly PinnedDocument[]): Promise<CommandMessage['documents']> {
    const sent: Record<string, CommandMessage['documents'][string]> = {};
    for (const { reference, name, version } of pinned) {
      const document = await findRunnableDocument(this.#deps.database.orm, `${name}:${version}`);
      if (document !== undefined) sent[reference] = sentSubDocument(document);
    }
    return sent;
  }

  async #load(runId: string): Promise<RunToSend | undefined> {
    const known = this.#runs.get(runId);
    if (known) return known;
    const result = await this.#deps.database.orm.execute<RunContent & Record<string, unknown>>(sql`
      select run.document_name as "documentName", run.document_version as "documentVersion",
        version.parsed as content, version.phases, run.parameters, run.undoes_run_id as "undoesRunId", run.sub_documents as "subDocuments", run.execution_timeout_seconds as "executionTimeoutSeconds",
        case when run.consequence <> 'reads' then run.created_by_id end as holder
      from command_run as run join document_version as version
        on version.document_name = run.document_name and version.version = run.document_version
      where run.id = ${runId}`);
    const row = result.rows[0];
    if (!row) return undefined;
    const stored = { id: runId, parameters: row.parameters };
    const storeValues = valuesOf(openStore(this.#deps.vault, stored));
    const declared = row.content.parameters ?? {};
    const values = withStoreDefaults(
      { declared, values: this.#deps.vault.open(runId, row.parameters) },
      storeValues,
    );
    const { content } = contentOfRun(row.content, row.phases, row.undoesRunId !== null);
    const software = (await this.#deps.software?.find(neededSoftware(content, values))) ?? [];
    const documents = await this.#subDocuments(row.subDocuments);
    const loaded = { ...row, software, values, storeValues, documents };
    if (this.#runs.size >= MAX_REMEMBERED_RUNS) {
      const [oldest] = this.#runs.keys();
      if (oldest !== undefined) this.#runs.delete(oldest);
    }
    this.#runs.set(runId, loaded);
    return loaded;
  }
}
