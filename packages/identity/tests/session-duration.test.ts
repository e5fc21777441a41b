import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { startIdentityServer } from './support/identity-server.ts';
import { anna, signIn } from './support/wire-clients.ts';

it('[session-duration-1] the duration of a session is the one in force when it begins', async () => {
  let sessionDurationMinutes = 10;
  await using pool = await startIdentityServer({
    settings: { limits: 'off' },
    sessionDurationMinutes: () => sessionDurationMinutes,
  });
  await pool.service.users.createUser(anna);
  const life = async (): Promise<number> => {
    const { exp = 0, iat = 0 } = decodeJwt((await signIn(pool, anna)).IdToken);
    return exp - iat;
  };
  expect(await life()).toBe(600);
  sessionDurationMinutes = 20;
  expect(await life()).toBe(1_200);
});
