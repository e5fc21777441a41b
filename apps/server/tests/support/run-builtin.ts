import { execFile } from 'node:child_process';
import { readBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { requireValidDocument } from '../../src/documents/validate-document.ts';

export interface BuiltinRun {
  /** The command's folder; its `bin` contains replacements for programs of the machine. */
  readonly folder: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly phase?: 'preCheck' | 'verify' | 'undo';
  /** Runs before the script, such as a limit. */
  readonly before?: string;
  /** Replacements of paths and times of the script; each must occur. */
  readonly replace?: Readonly<Record<string, string>>;
}

export interface BuiltinEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the original script of a built-in document (`logs-tail`) with `sh`, parameters in the environment. */
export async function runBuiltin(name: string, run: BuiltinRun): Promise<BuiltinEnd> {
  let script = await readScript(name, run.phase);
  for (const [from, to] of Object.entries(run.replace ?? {})) {
    if (!script.includes(from)) throw new Error(`${name} does not contain ${from}`);
    script = script.replaceAll(from, to);
  }
  const given = Object.entries(run.parameters ?? {}).map(([key, value]) => [`SSM_${key}`, value]);
  const env = {
    PATH: `${run.folder}/bin:${process.env['PATH'] ?? ''}`,
    ...(Object.fromEntries(given) as Record<string, string>),
    ...run.environment,
  };
  return new Promise((resolve) => {
    const child = execFile(
      '/bin/sh',
      ['-c', `${run.before ?? ''}\n${script}`],
      { cwd: run.folder, env },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

async function readScript(name: string, phase: BuiltinRun['phase']): Promise<string> {
  const all = await readBuiltinDocuments();
  const builtin = all.find((one) => one.name === `DevicePortal-${name}`);
  const { document, phases } = requireValidDocument(
    builtin?.content ?? '',
    builtin?.phasesText ?? '',
  );
  const [step] = (phase === undefined ? document.mainSteps : phases[phase]) ?? [];
  const inputs = step?.inputs as { runCommand?: string[] } | undefined;
  return (inputs?.runCommand ?? []).join('\n');
}
