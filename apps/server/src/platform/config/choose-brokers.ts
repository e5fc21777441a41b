import type { BrokerConfig, Config, DeviceConnectionConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/** The brokers of the gateway, and what devices are told about them. */
export function chooseBrokers(values: SettingValues): Pick<Config, 'broker' | 'deviceConnection'> {
  return { broker: chooseBroker(values), deviceConnection: chooseDeviceConnection(values) };
}

function chooseBroker(values: SettingValues): BrokerConfig {
  if (values.iotPolicy !== 'embedded') {
    const { iotPolicy: policy, region, iotEndpoint: endpoint } = values;
    const { iotDataEndpoint: dataEndpoint, iotCaFile: caFile } = values;
    return { kind: 'iot', policy, region, endpoint, dataEndpoint, caFile };
  }
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
/** AWS IoT charges for each message, and reports the end of connections. */
const IOT_HEARTBEAT_SECONDS = 900;
const IOT_SELF_CHECK_SECONDS = 60;

function chooseDeviceConnection(values: SettingValues): DeviceConnectionConfig {
  const heartbeatSeconds = values.heartbeatSeconds ?? defaultHeartbeatSeconds(values);
  // Of each subscription with QoS 1, NATS would keep a queue of its own.
  const usualQos = values.natsUrls === undefined ? 1 : 0;
  const isIot = values.iotPolicy !== 'embedded';
  return {
    brokerUrls: values.mqttDeviceUrls ?? values.mqttUrls?.map(withoutCredentials),
    subscriptionQos: (values.mqttSubscriptionQos ?? usualQos) === 0 ? 0 : 1,
    heartbeatSeconds,
    selfCheckSeconds: isIot ? Math.min(IOT_SELF_CHECK_SECONDS, heartbeatSeconds) : undefined,
  };
}

function defaultHeartbeatSeconds({ iotPolicy, mqttUrls, natsUrls }: SettingValues): number {
  if (iotPolicy !== 'embedded') return IOT_HEARTBEAT_SECONDS;
  const isEmbedded = mqttUrls === undefined && natsUrls === undefined;
  return isEmbedded ? EMBEDDED_HEARTBEAT_SECONDS : EXTERNAL_HEARTBEAT_SECONDS;
}

function withoutCredentials(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
