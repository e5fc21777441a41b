import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  ImportDetail,
  ImportEncoding,
  ImportKind,
  ImportRow,
} from '@deviceportal/contract/imports';
import { createTextVault } from '../../src/commands/output/text-vault.ts';
import { advanceImport } from '../../src/imports/advance-import.ts';
import { createImport } from '../../src/imports/create-import.ts';
import { confirmImport, discardImport, undoImport } from '../../src/imports/decide-import.ts';
import { getImport } from '../../src/imports/get-import.ts';
import type { ImportsDeps } from '../../src/imports/imports-deps.ts';
import { listRows } from '../../src/imports/list-rows.ts';
import { storeFile } from '../../src/imports/store-file.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { callerOf } from '../devices/viewer-with.ts';

export interface ImportedFile {
  readonly kind?: ImportKind;
  readonly content: string | Buffer;
  readonly encoding?: ImportEncoding;
}

const ROWS_AT_ONCE = 100;

/** Imports on a database, by the use cases that the portal calls. */
export class ImportFixture {
  readonly deps: ImportsDeps;
  #nowMs = Date.now();

  constructor(database: Database) {
    this.deps = {
      database,
      changes: createLocalChangeFeed(() => {}),
      clock: () => new Date(this.#nowMs),
      installCommand: async (token) => `install --claim ${token}`,
      imports: {
        vault: createTextVault(randomBytes(32)),
        signUpload: (id) => `/import-files/${id}?signed`,
      },
    };
  }

  pass(hours: number): void {
    this.#nowMs += hours * 3_600_000;
  }

  /** Creates an import and stores its file. */
  async upload(viewer: Viewer, file: ImportedFile): Promise<string> {
    const { kind = 'devices', content, encoding = 'unicode' } = file;
    const input = { kind, encoding, fileName: 'file.csv' };
    const { id } = await createImport(this.deps, callerOf(viewer), input);
    await storeFile(this.deps, id, Readable.from([Buffer.from(content)], { objectMode: false }));
    return id;
  }

  /** Continues until nothing is left to do. */
  async finish(viewer: Viewer, id: string): Promise<ImportDetail> {
    let detail = await getImport(this.deps, viewer, { id });
    while (['checking', 'applying', 'undoing'].includes(detail.state)) {
      detail = await advanceImport(this.deps, callerOf(viewer), id);
    }
    return detail;
  }

  async preview(viewer: Viewer, file: ImportedFile): Promise<ImportDetail> {
    return this.finish(viewer, await this.upload(viewer, file));
  }

  async confirm(viewer: Viewer, id: string): Promise<ImportDetail> {
    await confirmImport(this.deps, callerOf(viewer), id);
    return this.finish(viewer, id);
  }

  async discard(viewer: Viewer, id: string): Promise<void> {
    await discardImport(this.deps, callerOf(viewer), id);
  }

  async undo(viewer: Viewer, id: string): Promise<ImportDetail> {
    await undoImport(this.deps, callerOf(viewer), id);
    return this.finish(viewer, id);
  }

  /** A preview that is confirmed. */
  async run(viewer: Viewer, file: ImportedFile): Promise<ImportDetail> {
    const { id } = await this.preview(viewer, file);
    return this.confirm(viewer, id);
  }

  async rows(viewer: Viewer, id: string): Promise<readonly ImportRow[]> {
    const page = { id, show: null, pageSize: ROWS_AT_ONCE };
    const all: ImportRow[] = [];
    let cursor: string | null = null;
    do {
      const { rows, nextCursor } = await listRows(this.deps, viewer, { ...page, cursor });
      all.push(...rows);
      cursor = nextCursor;
    } while (cursor !== null);
    return all;
  }

  /** Lines with their outcome, and why. */
  async outcomes(viewer: Viewer, id: string): Promise<unknown[]> {
    return (await this.rows(viewer, id)).map(({ line, outcome, problem }) =>
      problem === null ? [line, outcome] : [line, outcome, problem.column, problem.reason],
    );
  }
}
