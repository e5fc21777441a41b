import { BROKERS_LIMIT, HEARTBEAT_SECONDS_RANGE } from '@deviceportal/contract/device-limits';
import { choice, integer, optionalInteger, optionalText, urls } from './setting.ts';

const group = 'Broker';
const PROTOCOLS = ['mqtt:', 'mqtts:'];

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
  mqttSubscriptionQos: integer(
    {
      env: 'DEVICEPORTAL_MQTT_SUBSCRIPTION_QOS',
      group,
      description:
        'QoS with which devices subscribe. Use 0 for a broker that recommends it, such as NATS. Commands are sent again until a device confirms them.',
    },
    { min: 0, max: 1, default: 1 },
  ),
  heartbeatSeconds: optionalInteger(
    {
      env: 'DEVICEPORTAL_HEARTBEAT_SECONDS',
      group,
      description:
        'Time between the heartbeats of a device. With external brokers, a device without two heartbeats and ten more seconds is offline. Default: 60, and 20 with external brokers.',
    },
    HEARTBEAT_SECONDS_RANGE,
  ),
  mqttCaFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CA_FILE',
    group,
    description: 'PEM certificate authority of the external broker.',
  }),
  mqttCertificateFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CERTIFICATE_FILE',
    group,
    description: 'PEM client certificate for the external broker.',
  }),
  mqttKeyFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_KEY_FILE',
    group,
    description: 'PEM key of that certificate.',
  }),
};
