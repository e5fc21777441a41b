import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPeer, run } from '../install-peer.ts';

export const GOOSEBIT_VERSION = '0.2.12';
/** The server of its container image. */
const GUNICORN_VERSION = '27.0.1';

/** A virtual environment of Python with gooseBit. */
export const installGooseBit = (): Promise<string> =>
  installPeer(`goosebit-${GOOSEBIT_VERSION}`, async (directory) => {
    await run('python3', ['-m', 'venv', directory]);
    const packages = [`goosebit[postgresql]==${GOOSEBIT_VERSION}`, `gunicorn==${GUNICORN_VERSION}`];
    const python = join(directory, 'bin/python');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', ...packages]);
    const place = 'import goosebit; print(goosebit.__path__[0])';
    const { stdout } = await run(python, ['-c', place], { cwd: directory });
    const migrations = join(stdout.trim(), 'db/migrations');
    // For its migrations, as in its container image.
    const lines = ['tortoise_orm = "goosebit.db.config.TORTOISE_CONF"', 'src_folder = "."'];
    await writeFile(
      join(directory, 'aerich.toml'),
      ['[tool.aerich]', ...lines, `location = ${JSON.stringify(migrations)}`, ''].join('\n'),
    );
  });
