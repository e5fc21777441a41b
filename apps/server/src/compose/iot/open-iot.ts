import { readFile } from 'node:fs/promises';
import type { DeviceTransport } from '../../gateway/device-transport.ts';
import type { GatewayMeter } from '../../gateway/gateway-dependencies.ts';
import { amazonAuthorities } from '../../gateway/iot/amazon-authorities.ts';
import { CertificateRegistry } from '../../gateway/iot/certificate-registry.ts';
import { devicePolicyDocument } from '../../gateway/iot/device-policy.ts';
import { openIotTransport } from '../../gateway/iot/iot-transport.ts';
import { isSamePolicy } from '../../gateway/iot/same-policy.ts';
import { loadAws } from '../../platform/aws/load-aws.ts';
import type { BrokerConfig } from '../../platform/config/config.ts';
import type { Platform } from '../../platform/platform.ts';
import { StartError } from '../../platform/process/start-error.ts';

const SETTING = 'DEVICEPORTAL_IOT_POLICY';
const DEVICE_PORT = 8883;

/** AWS IoT Core as transport of devices. */
export interface IotParts {
  readonly transport: DeviceTransport;
  readonly registry: CertificateRegistry;
  readonly brokerUrl: string;
  /** PEM. */
  readonly brokerAuthorities: string;
}

/** @throws StartError if AWS IoT cannot be reached, or has no such policy */
export async function openIot(
  { database, logger }: Pick<Platform, 'database' | 'logger'>,
  {
    broker,
    listeningMs,
    meter,
  }: {
    readonly broker: Extract<BrokerConfig, { readonly kind: 'iot' }>;
    readonly listeningMs: () => number;
    readonly meter: Pick<GatewayMeter, 'dropped'>;
  },
): Promise<IotParts> {
  const { policy, region, endpoint, dataEndpoint, caFile } = broker;
  const { createIotDevices, createIotPublisher } = await loadAws('iot', SETTING);
  const devices = createIotDevices({ region, endpoint });
  const found = await devices.describe(policy).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new StartError(`Cannot use AWS IoT in ${region} (${SETTING}): ${reason}`, {
      cause: error,
    });
  });
  if (found.policy === undefined) {
    throw new StartError(
      `${SETTING}: there is no policy ${policy} in ${region}. "npm run admin -- iot-policy ACCOUNT" prints the one to create.`,
    );
  }
  if (!isSamePolicy(found.policy, JSON.stringify(devicePolicyDocument(anywhere)))) {
    logger.warn(
      `The policy ${policy} of AWS IoT is not the one of this release, which "npm run admin -- iot-policy ACCOUNT" prints.`,
    );
  }
  const registry = new CertificateRegistry({ database, devices, policy });
  const publisher = createIotPublisher({
    region,
    endpoint: dataEndpoint ?? `https://${found.host}`,
  });
  return {
    transport: openIotTransport({ publisher, registry, listeningMs, logger, meter }),
    registry,
    brokerUrl: `mqtts://${found.host}:${DEVICE_PORT}`,
    brokerAuthorities:
      caFile === undefined ? amazonAuthorities() : await readFile(caFile, 'utf8').catch(unreadable),
  };
}

const anywhere = { partition: 'aws', region: '', account: '' };

function unreadable(error: Error): never {
  throw new StartError(`Cannot read DEVICEPORTAL_IOT_CA_FILE: ${error.message}`, { cause: error });
}
