import type { SharedCommand } from '@deviceportal/command-signing/run-digests';
import { runStatementSchema } from '@deviceportal/command-signing/run-statement';
import type { TargetTree } from '@deviceportal/command-signing/target-tree';
import type { CommandMessage, OfferedSoftware } from '@deviceportal/device-protocol/messages';
import type { Database } from '../../platform/database/database.ts';
import type { DownMessage } from '../../gateway/device-transport.ts';
import { valuesOf } from '../parameters/resolve-store-values.ts';
import type { PinnedDocument } from '../pinned-document.ts';
import type { ClaimedInvocation } from '../data/execution/claim-queries.ts';
import { findRunToSend, type RunContent } from '../data/execution/find-run-to-send.ts';
import { findInvocationsOn } from '../data/execution/open-work-queries.ts';
import { findRunnableDocument } from '../../documents/find-runnable-document.ts';
import { sentSubDocument } from '../../documents/sub-documents.ts';
import { openStore } from '../parameters/store-vault.ts';
import type { ParameterVault } from '../parameters/parameter-vault.ts';
import { openBlinding } from '../signing/blinding.ts';
import {
  findRunSignature,
  findSignedDeviceIds,
  type StoredSignature,
} from '../data/runs/run-signature-queries.ts';
import { sharedCommandOf } from '../signing/shared-command.ts';
import type { RunSigning } from '../signing/run-signing.ts';
import { neededSoftware, type NeededSoftware } from './needed-software.ts';

export interface CommandMessageDeps {
  readonly database: Pick<Database, 'orm'>;
  /** Decrypts secret parameters. Plain text is used in messages only. */
  readonly vault: Pick<ParameterVault, 'open' | 'openText'>;
  readonly signing: Pick<RunSigning, 'trees'>;
  /** Upload URL for the invocation's collected files, valid until the given time; null without an artifact store. */
  readonly artefactUploadUrl: (invocationId: string, validUntil: Date) => string | null;
  /** Files of software versions stored in the portal; absent if none are stored. */
  readonly software?: {
    readonly find: (wanted: readonly NeededSoftware[]) => Promise<readonly FoundSoftware[]>;
    /** A link for one device, valid until the given time. */
    readonly sign: (found: FoundSoftware, deviceId: string, validUntil: Date) => string;
  };
}

/** The file of a software version. */
export interface FoundSoftware extends NeededSoftware {
  readonly storageKey: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface RunToSend extends RunContent {
  /** Files that the document installs from the portal. Versions that have been blocked since are no longer provided. */
  readonly software: readonly FoundSoftware[];
  /** With decrypted secrets, for devices only. */
  readonly shared: SharedCommand;
  /** Undefined for a run that was requested before runs were signed. */
  readonly signature: StoredSignature | undefined;
}

type Authorization = NonNullable<CommandMessage['authorization']>;

/** Writes authorizations: the part of a device, and the part shared by all devices. */
interface Authorizer {
  readonly begin: (deviceId: string) => string;
  readonly sharedEnd: string;
}

/** Contents of a document version never change, so they are cached for the runs that are being sent. */
const MAX_REMEMBERED_RUNS = 64;

/** Makes the messages of some invocations of a run. */
type MakeMessages = (claimed: readonly ClaimedInvocation[]) => Promise<DownMessage[]>;

/** Builds the messages of a run's invocations. Document and parameters are read once per run. */
export class CommandMessages {
  readonly #deps: CommandMessageDeps;
  readonly #runs = new Map<string, RunToSend>();

  constructor(deps: CommandMessageDeps) {
    this.#deps = deps;
  }

  /** For a run that no longer exists, there are none. */
  async makerOf(runId: string): Promise<MakeMessages> {
    const run = await this.#load(runId);
    if (!run) return async () => [];
    // Most fields are the same for all devices, so they are serialized once.
    const shared: Partial<CommandMessage> = { runId, ...run.shared };
    const authorize = await this.#authorizer(runId, run);
    const sharedEnd = `${authorize.sharedEnd}${JSON.stringify(shared).slice(1)}`;
    return async (claimed) => {
      const notesOf = await this.#undoNotes(run, claimed);
      return claimed.map((one) => {
        const own = this.#ownPart(run, one, notesOf(one.id, one.deviceId));
        const payload = `${JSON.stringify(own).slice(0, -1)},${authorize.begin(one.deviceId)}`;
        return { deviceId: one.deviceId, channel: 'command', payload, sharedEnd, qos: 1 };
      });
    };
  }

  #ownPart(
    { software }: RunToSend,
    { id, deviceId, attempt, deliverBefore, expiresAt }: ClaimedInvocation,
    undoNotesOf: string | null,
  ): Partial<CommandMessage> {
    return {
      ...{ invocationId: id, attempt, undoNotesOf },
      deliverBefore: deliverBefore.toISOString(),
      artefactUploadUrl: this.#deps.artefactUploadUrl(id, expiresAt),
      ...(software.length > 0 && {
        software: software.map((found) => this.#offer(found, deviceId, expiresAt)),
      }),
    };
  }

  async #authorizer(runId: string, { signature }: RunToSend): Promise<Authorizer> {
    if (signature === undefined) return { begin: () => '', sharedEnd: '' };
    const { database, signing, vault } = this.#deps;
    const tree: TargetTree = await signing.trees.of(runId, () =>
      findSignedDeviceIds(database.orm, runId),
    );
    const shared: Omit<Authorization, 'target'> = {
      statement: signature.statement,
      blinding: openBlinding(vault, runId, signature.blinding),
    };
    return {
      // A device that is not a target gets an authorization without a proof, which it rejects and reports.
      begin: (deviceId) =>
        `"authorization":{"target":${JSON.stringify(tree.proofOf(deviceId) ?? { index: 0, path: '' })},`,
      sharedEnd: `${JSON.stringify(shared).slice(1)},`,
    };
  }

  #offer(found: FoundSoftware, deviceId: string, validUntil: Date): OfferedSoftware {
    const { component, version, bytes, sha256 } = found;
    const url = this.#deps.software?.sign(found, deviceId, validUntil) ?? '';
    return { component, version, url, sha256, bytes };
  }

  /** ID under which a device stores the data for an undo: the invocation, or in an undo the invocation to be undone. */
  async #undoNotes(
    { phases, undoesRunId }: RunContent,
    claimed: readonly ClaimedInvocation[],
  ): Promise<(invocationId: string, deviceId: string) => string | null> {
    if (phases.undo === undefined) return () => null;
    if (undoesRunId === null) return (invocationId) => invocationId;
    const deviceIds = claimed.map(({ deviceId }) => deviceId);
    const undone = await findInvocationsOn(this.#deps.database, undoesRunId, deviceIds);
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
    const row = await findRunToSend(this.#deps.database.orm, runId);
    if (!row) return undefined;
    const stored = { id: runId, parameters: row.parameters };
    const shared = sharedCommandOf({
      ...row,
      parsed: row.content,
      documents: await this.#subDocuments(row.subDocuments),
      values: this.#deps.vault.open(runId, row.parameters),
      storeValues: valuesOf(openStore(this.#deps.vault, stored)),
      isUndo: row.undoesRunId !== null,
    });
    const signature = await findRunSignature(this.#deps.database.orm, runId);
    const software = await this.#findSoftware(shared, signature);
    const loaded = { ...row, software, shared, signature };
    if (this.#runs.size >= MAX_REMEMBERED_RUNS) {
      const [oldest] = this.#runs.keys();
      if (oldest !== undefined) this.#runs.delete(oldest);
    }
    this.#runs.set(runId, loaded);
    return loaded;
  }

  /** Excludes versions that were approved after the run was signed. */
  async #findSoftware(
    { content, parameters }: SharedCommand,
    signature: StoredSignature | undefined,
  ): Promise<readonly FoundSoftware[]> {
    const found = (await this.#deps.software?.find(neededSoftware(content, parameters))) ?? [];
    if (signature === undefined) return found;
    const signed = runStatementSchema.safeParse(JSON.parse(signature.statement.payload));
    return found.filter((file) =>
      signed.data?.instructions.software.some(
        ({ component, version }) => component === file.component && version === file.version,
      ),
    );
  }
}
