import { BROKERS_LIMIT, HEARTBEAT_SECONDS_RANGE } from '@deviceportal/contract/device-limits';
import { choice, optionalInteger, optionalText, optionalUrl, urls } from './setting.ts';

const group = 'Broker';
const PROTOCOLS = ['mqtt:', 'mqtts:'];
const NATS_PROTOCOLS = ['nats:', 'tls:'];

/** How the gateway and devices reach a broker. */
export const brokerSettings = {
  mqttUrls: urls(
    {
      env: 'DEVICEPORTAL_MQTT_URL',
      group,
      secret: true,
      description:
        'URLs of the external MQTT brokers, separated by commas. Default: the embedded broker.',
    },
    { protocols: PROTOCOLS, limit: BROKERS_LIMIT },
  ),
  natsUrls: urls(
    {
      env: 'DEVICEPORTAL_NATS_URL',
      group,
      secret: true,
      description:
        'URLs of the nodes of a NATS cluster, as gateways reach them, separated by commas: `tls://host:4222`. Devices reach them by MQTT at `DEVICEPORTAL_MQTT_DEVICE_URLS`.',
    },
    { protocols: NATS_PROTOCOLS, limit: BROKERS_LIMIT },
  ),
  natsIssuerFile: optionalText({
    env: 'DEVICEPORTAL_NATS_ISSUER_FILE',
    group,
    description:
      'Seed of the NATS account key that signs what devices may do there: `npm run admin -- create-nats-issuer`.',
  }),
  mqttNodes: choice(
    {
      env: 'DEVICEPORTAL_MQTT_NODES',
      group,
      description:
        'What several brokers are: `cluster` if they exchange their messages, so that a gateway connects to one of them, or `each` for independent brokers, so that every gateway connects to all of them.',
    },
    ['cluster', 'each'],
    'cluster',
  ),
  mqttDeviceUrls: urls(
    {
      env: 'DEVICEPORTAL_MQTT_DEVICE_URLS',
      group,
      description:
        'Broker URLs for devices, separated by commas, without a username. Default: the hosts of `DEVICEPORTAL_MQTT_URL`, or the embedded broker at the host of `DEVICEPORTAL_PUBLIC_URL`.',
    },
    { protocols: PROTOCOLS, limit: BROKERS_LIMIT },
  ),
  mqttSubscriptionQos: optionalInteger(
    {
      env: 'DEVICEPORTAL_MQTT_SUBSCRIPTION_QOS',
      group,
      description:
        'QoS with which devices subscribe. Use 0 for a broker that recommends it. Commands are sent again until a device confirms them. Default: 1, and always 0 with NATS.',
    },
    { min: 0, max: 1 },
  ),
  heartbeatSeconds: optionalInteger(
    {
      env: 'DEVICEPORTAL_HEARTBEAT_SECONDS',
      group,
      description:
        'Time between the heartbeats of a device. With external brokers, a device without two heartbeats and ten more seconds is offline. Default: 60, 20 with external brokers, and 900 with AWS IoT Core, where a changed self-check is reported within a minute.',
    },
    HEARTBEAT_SECONDS_RANGE,
  ),
  iotEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_IOT_ENDPOINT',
      group,
      description:
        'Endpoint of the control plane of AWS IoT. Default: the endpoint of `DEVICEPORTAL_REGION`.',
    },
    ['http:', 'https:'],
  ),
  iotDataEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_IOT_DATA_ENDPOINT',
      group,
      description:
        'Endpoint at which messages to devices are published at AWS IoT. Default: the data endpoint of the account.',
    },
    ['http:', 'https:'],
  ),
  iotCaFile: optionalText({
    env: 'DEVICEPORTAL_IOT_CA_FILE',
    group,
    description:
      'PEM certificate authorities of the host to which devices connect at AWS IoT. Default: those of Amazon.',
  }),
  mqttCaFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CA_FILE',
    group,
    description: 'PEM certificate authority of the external broker, or of NATS.',
  }),
  mqttCertificateFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CERTIFICATE_FILE',
    group,
    description: 'PEM client certificate for the external broker, or for NATS.',
  }),
  mqttKeyFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_KEY_FILE',
    group,
    description: 'PEM key of that certificate.',
  }),
};
