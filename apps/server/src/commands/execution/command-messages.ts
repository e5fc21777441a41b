import { sql } from 'drizzle-orm';
import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import type { Database } from '../../platform/database/database.ts';
import type { DownMessage } from '../../gateway/device-transport.ts';
import type { ParameterVault } from '../parameter-vault.ts';
import type { ClaimedInvocation } from './dispatch-run.ts';

export interface CommandMessageDeps {
  readonly database: Pick<Database, 'orm'>;
  /** Opens secret parameters; the plain text goes into the message and nowhere else. */
  readonly vault: Pick<ParameterVault, 'open'>;
  /** Where the invocation's collected files go, valid until the time given; null where there is no store. */
  readonly artefactUploadUrl: (invocationId: string, validUntil: Date) => string | null;
}

interface RunContent {
  readonly documentName: string;
  readonly documentVersion: number;
  readonly content: Record<string, unknown>;
  readonly parameters: Record<string, unknown>;
  readonly executionTimeoutSeconds: number;
}

/** Contents of documents never change within a version: kept for the runs that are being sent. */
const MAX_REMEMBERED_RUNS = 64;

/** Makes the messages of a run's invocations; document and parameters are read once for a run. */
export class CommandMessages {
  readonly #deps: CommandMessageDeps;
  readonly #runs = new Map<string, RunContent>();

  constructor(deps: CommandMessageDeps) {
    this.#deps = deps;
  }

  async make(runId: string, claimed: readonly ClaimedInvocation[]): Promise<DownMessage[]> {
    const run = await this.#load(runId);
    if (!run) return [];
    const parameters = this.#deps.vault.open(runId, run.parameters);
    // All but four fields are the same for every device: written once.
    const { content, documentName, documentVersion, executionTimeoutSeconds } = run;
    const shared = {
      runId,
      documentName,
      documentVersion,
      content,
      parameters,
      executionTimeoutSeconds,
    };
    const tail = JSON.stringify(shared satisfies Partial<CommandMessage>).slice(1);
    return claimed.map(({ id, deviceId, attempt, deliverBefore, expiresAt }) => {
      const own: Partial<CommandMessage> = {
        invocationId: id,
        attempt,
        deliverBefore: deliverBefore.toISOString(),
        artefactUploadUrl: this.#deps.artefactUploadUrl(id, expiresAt),
      };
      const payload = `${JSON.stringify(own).slice(0, -1)},${tail}`;
      return { deviceId, channel: 'command', payload, qos: 1 };
    });
  }

  async #load(runId: string): Promise<RunContent | undefined> {
    const known = this.#runs.get(runId);
    if (known) return known;
    const result = await this.#deps.database.orm.execute<RunContent & Record<string, unknown>>(sql`
      select run.document_name as "documentName", run.document_version as "documentVersion",
        version.parsed as content, run.parameters, run.execution_timeout_seconds as "executionTimeoutSeconds"
      from command_run as run join document_version as version
        on version.document_name = run.document_name and version.version = run.document_version
      where run.id = ${runId}`);
    const loaded = result.rows[0];
    if (!loaded) return undefined;
    if (this.#runs.size >= MAX_REMEMBERED_RUNS) {
      const [oldest] = this.#runs.keys();
      if (oldest !== undefined) this.#runs.delete(oldest);
    }
    this.#runs.set(runId, loaded);
    return loaded;
  }
}
