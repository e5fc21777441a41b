import { router } from '../platform/api.ts';
import { deviceProcedures } from './device-procedures.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { enrollmentProcedures } from './enrollment/enrollment-procedures.ts';
import type { CursorVault } from './list/list-devices-page.ts';
import { listProcedures } from './list/list-procedures.ts';

export type { DevicesDependencies } from './devices-dependencies.ts';

export const createDevicesRouter = (deps: DevicesDependencies & { readonly vault: CursorVault }) =>
  router({ ...listProcedures(deps), ...deviceProcedures(deps), ...enrollmentProcedures(deps) });
