import type { BrokerConfig, Config, DeviceConnectionConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/** The brokers of the gateway, and what devices are told about them. */
export function chooseBrokers(values: SettingValues): Pick<Config, 'broker' | 'deviceConnection'> {
  return { broker: chooseBroker(values), deviceConnection: chooseDeviceConnection(values) };
}

function chooseBroker(values: SettingValues): BrokerConfig {
  if (values.mqttUrls === undefined) return { kind: 'embedded', port: values.mqttPort };
  return {
    kind: 'external',
    urls: values.mqttUrls,
    nodes: values.mqttNodes,
    caFile: values.mqttCaFile,
    certificateFile: values.mqttCertificateFile,
    keyFile: values.mqttKeyFile,
  };
}

/** The embedded broker notices the end of a connection. */
const EMBEDDED_HEARTBEAT_SECONDS = 60;
/** The device of a broker that is lost is offline within a minute. */
const EXTERNAL_HEARTBEAT_SECONDS = 20;

function chooseDeviceConnection(values: SettingValues): DeviceConnectionConfig {
  return {
    brokerUrls: values.mqttDeviceUrls ?? values.mqttUrls?.map(withoutCredentials),
    subscriptionQos: values.mqttSubscriptionQos === 0 ? 0 : 1,
    heartbeatSeconds:
      values.heartbeatSeconds ??
      (values.mqttUrls === undefined ? EMBEDDED_HEARTBEAT_SECONDS : EXTERNAL_HEARTBEAT_SECONDS),
  };
}

function withoutCredentials(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
