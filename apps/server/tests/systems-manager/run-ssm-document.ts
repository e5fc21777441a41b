import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ssmDocumentSchema } from '@deviceportal/contract/ssm-document';
import { bindParameters } from '../../../agent/src/document/bind-parameters.ts';
import { runDocument, type StepReport } from '../../../agent/src/document/run-document.ts';
import { runStep } from '../../../agent/src/document/run-step.ts';
import type { StepContext } from '../../../agent/src/document/step-context.ts';
import { parameterEnvironment } from '../../../agent/src/document/substitute-parameters.ts';
import type { ShellJob, ShellOutcome } from '../../../agent/src/machine/machine.ts';

/** A step of a command on an instance, as Systems Manager keeps it. */
export interface StepOutcome {
  readonly name: string;
  readonly status: string;
  readonly code: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DocumentOutcome {
  readonly status: 'Success' | 'Failed' | 'TimedOut' | 'Cancelled';
  readonly statusDetails: string;
  readonly steps: readonly StepOutcome[];
}

/** The command that an instance of Systems Manager receives. */
export interface SsmJob {
  /** JSON. */
  readonly content: string;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly signal: AbortSignal;
}

/** Runs a document with the interpreter of the agent, but with nothing else of it: no configuration and no reports. */
export async function runSsmDocument({
  content,
  parameters,
  signal,
}: SsmJob): Promise<DocumentOutcome> {
  const document = ssmDocumentSchema.parse(JSON.parse(content));
  const given = Object.entries(parameters).map(([name, values]) => {
    const type = document.parameters?.[name]?.type;
    return [name, type === 'StringList' ? values : values[0]];
  });
  const { values, issues } = bindParameters(document, Object.fromEntries(given));
  if (issues.length > 0) throw new Error(JSON.stringify(issues));
  const folder = await mkdtemp(join(tmpdir(), 'ssm-instance-'));
  const texts = new Map<number, { stdout: string; stderr: string }>();
  const ended: StepReport[] = [];
  const machine = { platformType: 'Linux', runShell: (job: ShellJob) => runScript(job, folder) };
  try {
    const result = await runDocument({
      ...{ document, values, signal, platformType: 'Linux', takenUp: null, ended: {} },
      phases: { preCheck: 0, verify: 0 },
      now: Date.now,
      runStep: (step, stepIndex, attempt) => {
        const text = { stdout: '', stderr: '' };
        texts.set(stepIndex, text);
        const context = {
          ...{ machine, values, signal, stepIndex, attempt, runStep, now: Date.now },
          command: { invocationId: 'ssm', documentName: '', undoNotesOf: null, storeValues: {} },
          environment: parameterEnvironment(values),
          phase: 'main',
          startedAtMs: Date.now(),
          isRepeated: false,
          resumeFrom: null,
          output: (stream: 'stdout' | 'stderr', piece: string) => void (text[stream] += piece),
        };
        return runStep({ context: context as unknown as StepContext, document, step });
      },
      report: (report) => {
        if (report.state !== 'InProgress' && report.state !== 'Skipped') ended.push(report);
      },
    });
    const { state: status, statusDetails } = result;
    if (status === 'Restart') throw new Error('no instance of this test can restart');
    return { status, statusDetails, steps: ended.map((report) => outcomeOf(report, texts)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function outcomeOf(
  { step, index, state, exitCode, startedAtMs }: StepReport,
  texts: ReadonlyMap<number, { readonly stdout: string; readonly stderr: string }>,
): StepOutcome {
  return {
    name: step.name,
    status: state,
    code: exitCode ?? -1,
    startedAt: new Date(startedAtMs ?? Date.now()),
    endedAt: new Date(),
    ...(texts.get(index) ?? { stdout: '', stderr: '' }),
  };
}

const KILL_AFTER_MS = 1_000;

function runScript(job: ShellJob, folder: string): Promise<ShellOutcome> {
  const child = spawn('/bin/sh', ['-c', job.script], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...job.environment },
  });
  const end = async (): Promise<void> => {
    const group = -(child.pid ?? 0);
    process.kill(group, 'SIGTERM');
    await sleep(KILL_AFTER_MS);
    if (child.exitCode === null && child.signalCode === null) process.kill(group, 'SIGKILL');
  };
  job.signal.addEventListener('abort', () => void end().catch(() => {}), { once: true });
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8');
    child[stream].on('data', (text: string) => job.onOutput(stream, text, 0));
  }
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, lost: null, reports: [], files: [] }));
  });
}
