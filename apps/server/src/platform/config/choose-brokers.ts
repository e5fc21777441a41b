import type { BrokerConfig, Config, DeviceConnectionConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/** The brokers of the gateway, and what devices are told about them. */
export function chooseBrokers(values: SettingValues): Pick<Config, 'broker' | 'deviceConnection'> {
  return { broker: chooseBroker(values), deviceConnection: chooseDeviceConnection(values) };
}

function chooseBroker(values: SettingValues): BrokerConfig {
  const files = {
    caFile: values.mqttCaFile,
    certificateFile: values.mqttCertificateFile,
    keyFile: values.mqttKeyFile,
  };
  const { mqttUrls, natsUrls, natsIssuerFile: issuerFile } = values;
  if (natsUrls !== undefined && issuerFile !== undefined) {
    return { kind: 'nats', urls: natsUrls, issuerFile, ...files };
  }
  if (mqttUrls === undefined) return { kind: 'embedded', port: values.mqttPort };
  return { kind: 'external', urls: mqttUrls, nodes: values.mqttNodes, ...files };
}

/** The embedded broker notices the end of a connection. */
const EMBEDDED_HEARTBEAT_SECONDS = 60;
/** The device of a broker that is lost is offline within a minute. */
const EXTERNAL_HEARTBEAT_SECONDS = 20;

function chooseDeviceConnection(values: SettingValues): DeviceConnectionConfig {
  const isEmbedded = values.mqttUrls === undefined && values.natsUrls === undefined;
  // Of each subscription with QoS 1, NATS would keep a queue of its own.
  const usualQos = values.natsUrls === undefined ? 1 : 0;
  return {
    brokerUrls: values.mqttDeviceUrls ?? values.mqttUrls?.map(withoutCredentials),
    subscriptionQos: (values.mqttSubscriptionQos ?? usualQos) === 0 ? 0 : 1,
    heartbeatSeconds:
      values.heartbeatSeconds ??
      (isEmbedded ? EMBEDDED_HEARTBEAT_SECONDS : EXTERNAL_HEARTBEAT_SECONDS),
  };
}

function withoutCredentials(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
