import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import {
  associateFaceByBlob,
  createIdentityClient,
  loginByEmail,
} from '../../../identity-client/src/index.ts';
import { openProvider } from './support/open-provider.ts';
import { call, signIn } from './support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';

it('a provider starts without the optional packages, unless they are required', async () => {
  const missing = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (/^@deviceportal\\/identity-(face|real-name)$/.test(name)) throw new Error('not installed');
      return next(name, context);
    } });`;
  const script = join(import.meta.dirname, 'support/load-without-plug-ins.ts');
  const hook = `data:text/javascript,${encodeURIComponent(missing)}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', hook, script]);
  expect(JSON.parse(stdout)).toEqual({
    face: false,
    messages: [
      'MissingPlugInError: @deviceportal/identity-face is required but not installed',
      'MissingPlugInError: @deviceportal/identity-real-name is required but not installed',
    ],
  });
});

it('if they are off, faces are rejected with 2601 and not offered, and real names with 2806', async () => {
  await using idp = await openProvider({ face: 'off', realName: 'off', secondStep: 'required' });
  const email = 'ada@example.com';
  const { token } = await signIn(idp, email);
  const client = createIdentityClient({ appId: idp.appId, appHost: idp.host, token });
  const photo = new Blob([Uint8Array.from(PNG.sync.write(new PNG({ width: 8, height: 8 })))]);
  await expect(associateFaceByBlob(client, { baseFace: photo })).rejects.toMatchObject({
    code: 2601,
  });
  const body = {
    type: 'P',
    name: '张三',
    idCard: '110101199003077774',
    ext: '6222020000000000000',
  };
  const path = '/api/v2/users/principal_authentication';
  expect(await call(idp, 'POST', path, { body, token })).toMatchObject({ code: 2806 });
  expect(await call(idp, 'GET', path, { token })).toMatchObject({ code: 200, data: null });
  await idp.makeUser({ email: 'grace@example.com', password: PASSWORD });
  const stranger = createIdentityClient({ appId: idp.appId, appHost: idp.host });
  const login = { email: 'grace@example.com', password: PASSWORD };
  const refused = await loginByEmail(stranger, login).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 1635 });
  const { data } = refused as { data: { applicationMfa: readonly { mfaPolicy: string }[] } };
  expect(data.applicationMfa.map(({ mfaPolicy }) => mfaPolicy)).toEqual(['OTP', 'SMS', 'EMAIL']);
});
