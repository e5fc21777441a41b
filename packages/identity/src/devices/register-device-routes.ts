import { newId } from '@deviceportal/contract/ids';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { requireUser } from '../provider/wire/require-user.ts';
import { v3Success } from '../provider/wire/v3-success.ts';
import { deviceSchema } from './device-schema.ts';
import {
  countOtherDevices,
  deleteDevice,
  endDeviceSessions,
  listDevices,
  saveDevice,
  type StoredDevice,
} from './device-store.ts';

const deviceRefusals = {
  deviceDoesNotExist: { code: 2701, en: 'Device not found', zh: '设备不存在' },
  tooManyDevices: {
    code: 2702,
    en: 'Too many devices. Remove one first.',
    zh: '设备数量已达上限，请先解绑',
  },
} as const satisfies Record<string, Refusal>;

const MAX_DEVICES = 100;
const deviceIdSchema = z.object({
  deviceId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\0]*$/),
});

/** The devices that a person signs in on: `/api/v3/create-device`, `/api/v3/mydevices/…` (identity-sdk.md, section 7). */
export function registerDeviceRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { db, clock, signIns } = context;
  const now = (): Date => new Date(clock.now());
  app.post('/api/v3/create-device', async (request) => {
    const { user, signIn, address } = await requireUser(context, request);
    const record = deviceSchema.parse(request.body);
    if ((await countOtherDevices(db, user.id, record.deviceUniqueId)) >= MAX_DEVICES) {
      throw new ProviderError(deviceRefusals.tooManyDevices);
    }
    const id = await saveDevice(db, {
      ...{ id: newId(), userId: user.id, uniqueId: record.deviceUniqueId, record },
      ...{ address, at: now(), sessionId: signIn.session.id },
    });
    return v3Success({ id });
  });
  app.get('/api/v3/mydevices/list', async (request) => {
    const { user } = await requireUser(context, request);
    const devices = await listDevices(db, user.id, { now: now(), limit: MAX_DEVICES });
    return v3Success(devices.map(toWireDevice));
  });
  app.post('/api/v3/mydevices/revoke-session', async (request) => {
    const caller = await requireUser(context, request);
    const { deviceId: name } = deviceIdSchema.parse(request.body);
    await inTransaction(db, async (client) => {
      if (!(await endDeviceSessions(client, caller.user.id, { name, at: now() }))) {
        throw new ProviderError(deviceRefusals.deviceDoesNotExist);
      }
      await signIns.writeChange(client, caller.user, caller, 'the sign-ins of a device were ended');
    });
    return v3Success();
  });
  app.post('/api/v3/mydevices/unbind', async (request) => {
    const caller = await requireUser(context, request);
    const { deviceId: name } = deviceIdSchema.parse(request.body);
    await inTransaction(db, async (client) => {
      await endDeviceSessions(client, caller.user.id, { name, at: now() });
      if (!(await deleteDevice(client, caller.user.id, name))) {
        throw new ProviderError(deviceRefusals.deviceDoesNotExist);
      }
      await signIns.writeChange(client, caller.user, caller, 'a device was unbound');
    });
    return v3Success();
  });
}

function toWireDevice({ id, record, lastAddress, lastLoginAt, online }: StoredDevice): object {
  return {
    device: { ...record, id },
    lastIp: lastAddress,
    lastLoginTime: lastLoginAt.toISOString(),
    online,
  };
}
