import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../../../packages/cli', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCli {
  /** Resolves with the first match in what it has printed to the standard error. */
  printed(pattern: RegExp): Promise<string>;
  readonly result: Promise<CliResult>;
}

/** The CLI as it is published: packed, and installed in an empty folder. */
export class InstalledCli implements AsyncDisposable {
  readonly project: string;
  readonly home: string;

  private constructor(project: string) {
    this.project = project;
    this.home = join(project, 'home');
  }

  static async install(): Promise<InstalledCli> {
    const project = await mkdtemp(join(tmpdir(), 'deviceportal-cli-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: folder,
    });
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
    const tarball = join(project, packed.filename.replaceAll('/', '-').replace('@', ''));
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    // It has no dependencies, so nothing is loaded from elsewhere.
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
      cwd: project,
    });
    return new InstalledCli(project);
  }

  get packageFolder(): string {
    return join(this.project, 'node_modules/@deviceportal/cli');
  }

  get signInFile(): string {
    return join(this.home, '.config/deviceportal/sign-ins.json');
  }

  async storedToken(portal: string): Promise<string> {
    const file = JSON.parse(await readFile(this.signInFile, 'utf8')) as {
      readonly portals: Readonly<Record<string, { readonly token: string }>>;
    };
    return file.portals[portal]?.token ?? '';
  }

  start(
    args: readonly string[],
    {
      env = {},
      input = '',
    }: { readonly env?: Record<string, string>; readonly input?: string } = {},
  ): StartedCli {
    const child = spawn(join(this.project, 'node_modules/.bin/deviceportal'), args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: this.home, ...env },
      stdio: 'pipe',
    });
    child.stdin.end(input);
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const result = Promise.all([ended, text(child.stdout)]).then(([code, stdout]) => ({
      ...{ code, stdout, stderr: printed },
    }));
    return {
      result,
      async printed(pattern) {
        for (;;) {
          const found = pattern.exec(printed)?.[0];
          if (found !== undefined) return found;
          const isOver = await Promise.race([
            result.then(() => true),
            new Promise<false>((resolve) => setTimeout(resolve, 50, false)),
          ]);
          if (isOver) throw new Error(`ended without ${pattern}: ${printed}`);
        }
      },
    };
  }

  run(args: readonly string[], options?: Parameters<InstalledCli['start']>[1]): Promise<CliResult> {
    return this.start(args, options).result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.project, { recursive: true, force: true });
  }
}
