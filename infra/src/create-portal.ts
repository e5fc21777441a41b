import type { App } from 'aws-cdk-lib';
import { AlarmsStack } from './alarms-stack.ts';
import { DatabaseStack } from './database-stack.ts';
import { DevicesStack } from './devices-stack.ts';
import { IdentityStack } from './identity-stack.ts';
import { NetworkStack } from './network-stack.ts';
import { PortalStack } from './portal-stack.ts';
import { RegistryStack } from './registry-stack.ts';
import { readSettings } from './settings.ts';
import { StorageStack } from './storage-stack.ts';

/**
 * All stacks. None fixes an account or region.
 *
 * @param region kind of region for the defaults of the settings: one of AWS China has fewer services
 */
export function createPortal(app: App, region: string): void {
  const settings = readSettings(app, region);
  const registry = new RegistryStack(app, 'DevicePortalRegistry');
  const network = new NetworkStack(app, 'DevicePortalNetwork', settings);
  const database = new DatabaseStack(app, 'DevicePortalDatabase', network);
  const storage = new StorageStack(app, 'DevicePortalStorage', settings);
  const identity =
    settings.signIn.kind === 'cognito'
      ? new IdentityStack(app, 'DevicePortalIdentity', {
          mailFrom: settings.mail.from,
          smtpUrlSecretArn: settings.signIn.smtpUrlSecretArn,
        })
      : undefined;
  const devices =
    settings.devices === 'iot' ? new DevicesStack(app, 'DevicePortalDevices') : undefined;
  const portal = new PortalStack(app, 'DevicePortal', {
    settings,
    registry,
    network,
    database,
    storage,
    ...{ identity, devices },
  });
  new AlarmsStack(app, 'DevicePortalAlarms', { portal, database, devices, to: settings.alarmsTo });
}
