import { describe, expect, test } from 'vitest';
import { readConfig } from './read-config.ts';

const read = (env: Record<string, string>) => readConfig({ argv: [], env, workingDir: '/srv' });

const production = {
  NODE_ENV: 'production',
  DEVICEPORTAL_PUBLIC_URL: 'https://portal.example',
  DEVICEPORTAL_MESSENGER: 'outbox',
};

describe('devices', () => {
  test('are told all brokers, without the password of the gateway', () => {
    const config = read({ DEVICEPORTAL_MQTT_URL: 'mqtts://u:p@a:1, mqtts://b' });
    expect(config.broker).toMatchObject({
      urls: ['mqtts://u:p@a:1', 'mqtts://b'],
      nodes: 'cluster',
    });
    expect(config.deviceConnection).toEqual({
      brokerUrls: ['mqtts://a:1', 'mqtts://b'],
      subscriptionQos: 1,
      heartbeatSeconds: 20,
    });
  });

  test('are told the embedded broker by default, and to send a heartbeat per minute', () => {
    expect(read({}).deviceConnection).toEqual({
      brokerUrls: undefined,
      subscriptionQos: 1,
      heartbeatSeconds: 60,
    });
  });

  test('are told other brokers if these are set', () => {
    const config = read({
      DEVICEPORTAL_MQTT_DEVICE_URLS: 'mqtts://balancer:443',
      DEVICEPORTAL_MQTT_SUBSCRIPTION_QOS: '0',
      DEVICEPORTAL_HEARTBEAT_SECONDS: '900',
    });
    expect(config.deviceConnection).toEqual({
      brokerUrls: ['mqtts://balancer:443'],
      subscriptionQos: 0,
      heartbeatSeconds: 900,
    });
  });
});

describe('a cluster of NATS', () => {
  const nats = {
    DEVICEPORTAL_NATS_URL: 'tls://user:hunter2@a:4222,tls://b:4222',
    DEVICEPORTAL_NATS_ISSUER_FILE: '/etc/deviceportal/nats-issuer',
    DEVICEPORTAL_MQTT_DEVICE_URLS: 'mqtts://a:8883,mqtts://b:8883',
  };

  test('has addresses for gateways and others for devices, which subscribe with QoS 0', () => {
    const config = read({ ...nats, DEVICEPORTAL_MQTT_CA_FILE: '/etc/ca.crt' });
    expect(config.broker).toMatchObject({
      kind: 'nats',
      urls: ['tls://user:hunter2@a:4222', 'tls://b:4222'],
      issuerFile: '/etc/deviceportal/nats-issuer',
      caFile: '/etc/ca.crt',
    });
    expect(config.deviceConnection).toEqual({
      brokerUrls: ['mqtts://a:8883', 'mqtts://b:8883'],
      subscriptionQos: 0,
      heartbeatSeconds: 20,
    });
  });

  test.each([
    [
      'beside MQTT brokers',
      { DEVICEPORTAL_MQTT_URL: 'mqtts://c' },
      /NATS_URL and .*MQTT_URL are both set/,
    ],
    ['beside the embedded broker', { DEVICEPORTAL_MQTT_PORT: '8883' }, /MQTT_PORT\) are both set/],
    ['with a queue for each device', { DEVICEPORTAL_MQTT_SUBSCRIPTION_QOS: '1' }, /NATS needs 0/],
    ['of another protocol', { DEVICEPORTAL_NATS_URL: 'mqtts://a' }, /nats:\/\/ or tls:\/\//],
    [
      'without TLS in production',
      { ...production, DEVICEPORTAL_NATS_URL: 'nats://a.example' },
      /NATS_URL must be tls/,
    ],
  ])('is refused %s', (_case, env, line) => {
    expect(() => read({ ...nats, ...env })).toThrow(line);
  });

  test.each([
    ['DEVICEPORTAL_NATS_ISSUER_FILE'],
    ['DEVICEPORTAL_MQTT_DEVICE_URLS'],
    ['DEVICEPORTAL_NATS_URL'],
  ] as const)('is refused without %s', (setting) => {
    const { [setting]: _left, ...rest } = nats;
    expect(() => read(rest)).toThrow(new RegExp(`${setting} is missing`));
  });
});

describe('AWS IoT Core', () => {
  const iot = {
    DEVICEPORTAL_IOT_POLICY: 'devices',
    DEVICEPORTAL_REGION: 'eu-central-1',
    DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'https://sqs.eu-central-1.amazonaws.com/111122223333/up',
  };

  test('is selected by the name of a policy, with heartbeats every 15 minutes and self-checks every minute', () => {
    const config = read(iot);
    expect(config.broker).toMatchObject({
      kind: 'iot',
      policy: 'devices',
      region: 'eu-central-1',
    });
    expect(config.deviceConnection).toMatchObject({ heartbeatSeconds: 900, selfCheckSeconds: 60 });
    const often = read({ ...iot, DEVICEPORTAL_HEARTBEAT_SECONDS: '30' });
    expect(often.deviceConnection).toMatchObject({ heartbeatSeconds: 30, selfCheckSeconds: 30 });
  });

  test.each([
    [{ DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'mqtt' }, /DEVICEPORTAL_AUDIT_TRAIL_QUEUE.* is missing/],
    [{ DEVICEPORTAL_MQTT_URL: 'mqtts://a' }, /DEVICEPORTAL_IOT_POLICY selects AWS IoT Core/],
    [{ DEVICEPORTAL_IOT_POLICY: 'a policy' }, /the name of a policy/],
    [
      { DEVICEPORTAL_IOT_POLICY: 'embedded', DEVICEPORTAL_IOT_ENDPOINT: 'https://iot.example' },
      /DEVICEPORTAL_IOT_POLICY is missing/,
    ],
    [
      { ...production, DEVICEPORTAL_IOT_DATA_ENDPOINT: 'http://iot.example' },
      /keys of AWS would be sent unencrypted/,
    ],
  ])('is refused with %o', (env, line) => {
    expect(() => read({ ...iot, ...env })).toThrow(line);
  });
});

test.each([
  [
    'a broker of another protocol in the list',
    { DEVICEPORTAL_MQTT_URL: 'mqtts://a,https://b' },
    /DEVICEPORTAL_MQTT_URL must be a list of 1 to 32 URLs/,
  ],
  [
    'a kind of brokers without brokers',
    { DEVICEPORTAL_MQTT_NODES: 'each' },
    /DEVICEPORTAL_MQTT_URL is missing/,
  ],
  [
    'a password for devices',
    { DEVICEPORTAL_MQTT_DEVICE_URLS: 'mqtts://user:hunter2@a' },
    /^(?!.*hunter2)DEVICEPORTAL_MQTT_DEVICE_URLS contains a username/,
  ],
  [
    'one broker of several without TLS in production',
    { ...production, DEVICEPORTAL_MQTT_URL: 'mqtts://a.example,mqtt://b.example' },
    /must be mqtts/,
  ],
  [
    'a broker for devices without TLS in production',
    { ...production, DEVICEPORTAL_MQTT_DEVICE_URLS: 'mqtt://broker.example' },
    /must be mqtts/,
  ],
])('rejects %s', (_case, env, line) => {
  expect(() => read(env)).toThrow(line);
});
