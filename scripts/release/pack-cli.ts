import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '..', '..', 'packages', 'cli');

/** The package of the CLI, which `npm install -g FILE` installs without any registry. */
export function packCli(folder: string): void {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: cli });
}
