import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { extractText, getDocumentProxy } from 'unpdf';
import { newId } from '@deviceportal/contract/ids';
import { runCommand } from '../../../src/commands/run-command.ts';
import type { EvidenceDeps } from '../../../src/evidence/evidence-deps.ts';
import type { AirBlastDeps } from '../../../src/air-blast/air-blast-deps.ts';
import { exportReport } from '../../../src/evidence/export-report.ts';
import { exportProof } from '../../../src/evidence/export-proof.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { onlyHot, testSigner } from '../audit/audit-signer.ts';
import { createCommandFixture, origin, runInput, type CommandFixture } from '../command-fixture.ts';
import type { TestDatabase } from '../database/create-test-database.ts';

export interface EvidenceFixture extends AsyncDisposable {
  readonly commands: CommandFixture;
  readonly deps: EvidenceDeps;
  readonly folder: string;
  readFile(fileName: string): Promise<Uint8Array>;
  /** The text of a report as PDF. */
  reportText(viewer: Viewer, report: ReportToRead): Promise<string>;
  /** Runs `logs/tail`; returns the run. */
  run(viewer: Viewer, deviceIds: readonly string[]): Promise<string>;
  /** The parts of the archive, by name. */
  proof(viewer: Viewer, runId: string, kind?: 'run' | 'case'): Promise<Map<string, Uint8Array>>;
}

export type ReportToRead = Pick<
  Parameters<typeof exportReport>[2],
  'id' | 'kind' | 'layOut' | 'language'
>;

/** Commands, cases, and the audit trail; rollouts only with their own dependencies. */
export async function createEvidenceFixture(
  test: TestDatabase,
  rollouts?: AirBlastDeps,
): Promise<EvidenceFixture> {
  await bundleChecker();
  const commands = await createCommandFixture(test.database);
  const folder = await mkdtemp(join(tmpdir(), 'deviceportal-evidence-'));
  const files = join(folder, 'files');
  await mkdir(files);
  const deps = {
    ...onlyHot(test),
    ...commands.deps,
    ...rollouts,
    auditSigner: testSigner,
    exportFiles: createDirectoryFiles(files),
    signExportUrl: (fileName: string) => fileName,
    signEvidenceUrl: (fileName: string) => `/evidence/${fileName}`,
  } as unknown as EvidenceDeps;
  const read = (fileName: string): Promise<Uint8Array> => readFile(join(files, fileName));
  return {
    ...{ commands, deps, folder, readFile: read },
    async reportText(viewer, report) {
      const wanted = { ...report, paper: 'a4' } as const;
      const { fileName } = await exportReport(deps, { viewer, ...origin }, wanted);
      const pdf = await getDocumentProxy(new Uint8Array(await read(fileName)));
      return (await extractText(pdf, { mergePages: true })).text;
    },
    async run(viewer, deviceIds) {
      const target = { kind: 'devices' as const, deviceIds: [...deviceIds] };
      return (await runCommand(deps, viewer, runInput({ command: 'logs/tail', target }))).id;
    },
    async proof(viewer, id, kind = 'run') {
      const caller = { viewer, ...origin };
      const { fileName } = await exportProof(deps, caller, { kind, id, language: 'en' });
      return new Map(Object.entries(unzipSync(await read(fileName))));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Unpacks an archive into a new folder below this one. */
export async function unpackIn(
  folder: string,
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<string> {
  const place = join(folder, newId());
  await mkdir(place);
  for (const [name, content] of parts) await writeFile(join(place, name), content);
  return place;
}

/** Runs the checker of an unpacked archive as its recipient does. */
export function runChecker(
  place: string,
  options: readonly string[] = [],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const args = [join(place, 'checker.mjs'), ...options];
    execFile(process.execPath, args, { cwd: tmpdir(), env: {} }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

export const exportedRows = (parts: ReadonlyMap<string, Uint8Array>): string => {
  const [name = ''] = [...parts.keys()].filter((each) => each.endsWith('.csv'));
  return strFromU8(parts.get(name) ?? new Uint8Array());
};

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

function bundleChecker(): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = join(root, 'scripts', 'bundle-checker.mjs');
    execFile(process.execPath, [program], (error) => (error === null ? resolve() : reject(error)));
  });
}
