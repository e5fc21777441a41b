import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../..', import.meta.url));
const installed = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** A project that has only the tarball installed. */
export interface PackedClient extends AsyncDisposable {
  readonly project: string;
  readonly manifest: {
    readonly name: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  /** Paths in the tarball. */
  readonly files: readonly string[];
}

export async function packClient(): Promise<PackedClient> {
  const project = await mkdtemp(join(tmpdir(), 'identity-client-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  const own = join(project, 'node_modules/@deviceportal/identity-client');
  await mkdir(own, { recursive: true });
  const tarball = join(project, packed.filename.replaceAll('/', '-').replace('@', ''));
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  const manifest = JSON.parse(
    await readFile(join(own, 'package.json'), 'utf8'),
  ) as PackedClient['manifest'];
  for (const name of Object.keys(manifest.dependencies)) {
    const target = join(project, 'node_modules', name);
    await mkdir(join(target, '..'), { recursive: true });
    await symlink(join(installed, name), target);
  }
  return {
    project,
    manifest,
    files: packed.files.map(({ path }) => path),
    [Symbol.asyncDispose]: () => rm(project, { recursive: true }),
  };
}
