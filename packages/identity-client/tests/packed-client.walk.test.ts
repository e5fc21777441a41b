import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './support/launch-chromium.ts';
import { packClient, type PackedClient } from './support/packed-client.ts';

const NAME = '@deviceportal/identity-client';
const CODE_LOGIN_LIMIT = 12_000;
const run = promisify(execFile);
let packed: PackedClient;

beforeAll(async () => {
  packed = await packClient();
});

afterAll(async () => {
  await packed[Symbol.asyncDispose]();
});

async function writeSource(name: string, text: string): Promise<string> {
  const path = join(packed.project, name);
  await writeFile(path, text);
  return path;
}

async function runNode(name: string, text: string): Promise<string> {
  const { stdout } = await run(process.execPath, [await writeSource(name, text)]);
  return stdout.trim();
}

test('the published files do not depend on this repository', async () => {
  expect(
    Object.keys(packed.manifest.dependencies).filter((name) => name.includes('deviceportal')),
  ).toEqual([]);
  const scripts = packed.files.filter((path) => /\.c?js$/.test(path));
  expect(scripts.length).toBeGreaterThan(50);
  for (const path of scripts) {
    const text = await readFile(join(packed.project, 'node_modules', NAME, path), 'utf8');
    expect(text).not.toMatch(/(?:from|require\()\s*["']@deviceportal/);
  }
});

test('import and require export the same names', async () => {
  const list = 'console.log(Object.keys(all).filter((name) => name !== "default").sort().join())';
  const imported = await runNode('a.mjs', `import * as all from '${NAME}'; ${list}`);
  const required = await runNode('a.cjs', `const all = require('${NAME}'); ${list}`);
  expect(imported).toContain('AuthenticationClient');
  expect(required).toBe(imported);
});

test('encrypts a password with SM2 after require', async () => {
  const point =
    '0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13';
  const text = `const { createIdentityClient, encryptPassword } = require('${NAME}');
    const encryption = { type: 'sm2', publicKey: '${point}' };
    encryptPassword(createIdentityClient({ encryption }), 'x').then((text) => console.log(text.slice(0, 4)));`;
  expect(await runNode('b.cjs', text)).toBe('sm2:');
});

const CODE_LOGIN = `import { createIdentityClient, loginByEmailCode, sendEmailCode } from '${NAME}';
  const client = createIdentityClient({ appId: 'app', appHost: 'https://provider.example' });
  export const ask = (email) => sendEmailCode(client, { email, scene: 'LOGIN_VERIFY_CODE' });
  export const enter = (email, code) => loginByEmailCode(client, { email, code });`;

test('a sign-in by code is less than 12 kB (gzip) with esbuild and contains no encryption', async () => {
  const entry = await writeSource('code-login.mjs', CODE_LOGIN);
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, write: false },
    ...{ format: 'esm', platform: 'browser' },
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  expect(gzipSync(code).length).toBeLessThan(CODE_LOGIN_LIMIT);
  expect(Buffer.from(code).toString()).not.toContain('Message too long for RSA');
});

test('the same with Rolldown, which Vite builds with', async () => {
  const input = await writeSource('code-login-vite.mjs', CODE_LOGIN);
  await using bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(gzipSync(output[0].code).length).toBeLessThan(CODE_LOGIN_LIMIT);
});

const GOOD = `import { AuthenticationClient, createIdentityClient, EmailScene, sendEmailCode } from '${NAME}';
  const client = createIdentityClient({ appId: 'app' });
  export const sent: Promise<{ message?: string }> = sendEmailCode(client, { email: 'a', scene: EmailScene.VerifyEmail });
  export const id: string = new AuthenticationClient({ appId: 'app' }).checkLoggedIn();`;
const BAD = `import { createIdentityClient, sendEmailCode } from '${NAME}';
  const client = createIdentityClient({ appId: 7 });
  void sendEmailCode(client, { email: 'a', scene: 'NO_SUCH_PURPOSE' });`;

test.each(['nodenext', 'bundler'])(
  'types are found by %s: good code compiles, bad code does not',
  async (resolution) => {
    await writeSource('good.mts', GOOD);
    await writeSource('bad.mts', BAD);
    const require = createRequire(import.meta.url);
    const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const check = (file: string) => {
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
      const flags = ['--noEmit', '--strict', '--lib', 'es2022,dom', '--types', ''];
      const where = ['--module', module, '--moduleResolution', resolution];
      return run(process.execPath, [compiler, ...flags, ...where, file], { cwd: packed.project });
    };
    await check('good.mts');
    const failure = await check('bad.mts').then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(failure.match(/error TS/g)).toHaveLength(2);
  },
);

test('the script file signs in in Chromium', async () => {
  const path = join(packed.project, 'node_modules', NAME, 'dist/identity-client.min.js');
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.route('https://provider.example/**', (route) => {
    const isPage = route.request().url().endsWith('/page');
    const json = { code: 200, data: { id: 'u-1', token: 't-1' } };
    return isPage ? route.fulfill({ body: '', contentType: 'text/html' }) : route.fulfill({ json });
  });
  await page.goto('https://provider.example/page');
  await page.addScriptTag({ path });
  const script = `new identityClient.AuthenticationClient({ appId: 'app', appHost: 'https://provider.example' })
    .loginByEmailCode('a@b.c', '1').then(({ id }) => [id, localStorage.getItem('_authing_token')])`;
  expect(await page.evaluate(script)).toEqual(['u-1', 't-1']);
});

test('the module signs in inside a Chromium worker, without window and storage', async () => {
  const entry = await writeSource(
    'worker.mjs',
    `${CODE_LOGIN}
    enter('a@b.c', '1').then(({ id }) => self.postMessage(id), (error) => self.postMessage(String(error)));`,
  );
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false },
    ...{ format: 'iife', platform: 'browser' },
  });
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.route('https://provider.example/**', (route) => {
    const url = route.request().url();
    if (url.endsWith('/page')) return route.fulfill({ body: '', contentType: 'text/html' });
    return url.endsWith('/worker.js')
      ? route.fulfill({ body: outputFiles[0]?.text ?? '', contentType: 'text/javascript' })
      : route.fulfill({ json: { code: 200, data: { id: 'u-1', token: 't-1' } } });
  });
  await page.goto('https://provider.example/page');
  const answer = `new Promise((resolve) => {
    const worker = new Worker('/worker.js');
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve(message);
  })`;
  expect(await page.evaluate(answer)).toBe('u-1');
});
