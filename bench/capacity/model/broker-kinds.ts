/**
 * What was measured of brokers other than the one of this benchmark (docs/guides/device-transport.md), on two cores
 * shared with the clients: memory is a figure of the broker, rates are lower limits.
 */
export interface BrokerKind {
  readonly name: string;
  /** Null if measured by this benchmark. */
  readonly kilobytesPerConnection: number | null;
  /** Messages acknowledged per second on two shared cores; null if CPU is measured by this benchmark. */
  readonly messagesPerSecond: number | null;
  /** Cores that one node can use. */
  readonly coresPerNode: number;
  readonly nodesAtLeast: number;
  /** One process is limited by its open files. */
  readonly connectionsPerNode: number;
}

const mosquitto: BrokerKind = {
  ...{ name: 'Mosquitto', kilobytesPerConnection: null, messagesPerSecond: null },
  ...{ coresPerNode: 1, nodesAtLeast: 2, connectionsPerNode: 100_000 },
};

export const brokerKinds: readonly BrokerKind[] = [
  mosquitto,
  {
    ...{ name: 'RMQTT', kilobytesPerConnection: 59, messagesPerSecond: 6_800 },
    ...{ coresPerNode: 4, nodesAtLeast: 3, connectionsPerNode: 200_000 },
  },
  {
    ...{ name: 'NATS', kilobytesPerConnection: 136, messagesPerSecond: 12_000 },
    ...{ coresPerNode: 4, nodesAtLeast: 3, connectionsPerNode: 200_000 },
  },
];

/** Of RMQTT and NATS, which were measured. */
const CORES_MEASURED = 2;

export interface BrokerNeed {
  readonly name: string;
  readonly nodes: number;
  readonly cores: number;
  readonly gigabytes: number;
}

/** Of Mosquitto, as measured, and of all. */
export interface BrokerLoad {
  readonly cpuCores: number;
  readonly mosquittoBytes: number;
  /** To the brokers in a second. */
  readonly messages: number;
  readonly utilization: number;
}

/** One of them may be lost. */
const nodesForConnections = (kind: BrokerKind, devices: number): number =>
  Math.ceil(devices / kind.connectionsPerNode) + 1;

/** Nodes of Mosquitto that hold the connections of so many devices. */
export const mosquittoNodes = (devices: number): number =>
  Math.max(mosquitto.nodesAtLeast, nodesForConnections(mosquitto, devices));

export function brokerNeed(kind: BrokerKind, devices: number, load: BrokerLoad): BrokerNeed {
  const busy =
    kind.messagesPerSecond === null
      ? load.cpuCores
      : (CORES_MEASURED * load.messages) / kind.messagesPerSecond;
  const cores = busy / load.utilization;
  const nodes = Math.max(
    kind.nodesAtLeast,
    Math.ceil(cores / kind.coresPerNode),
    nodesForConnections(kind, devices),
  );
  const bytes =
    kind.kilobytesPerConnection === null
      ? load.mosquittoBytes
      : kind.kilobytesPerConnection * 1_000;
  return { name: kind.name, nodes, cores, gigabytes: (devices * bytes) / 1e9 };
}
