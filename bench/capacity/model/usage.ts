/** What an installation uses: CPU time, writes, sizes, and messages. */
export const quantities = {
  gatewayCpuMs: 'CPU of servers with the role gateway, ms',
  webCpuMs: 'CPU of servers with the roles web and identity, ms',
  workerCpuMs: 'CPU of servers with the role worker, ms',
  brokerCpuMs: 'CPU of the broker, ms',
  databaseCpuMs: 'CPU of PostgreSQL, ms',
  walBytes: 'write-ahead log, bytes',
  commits: 'transactions',
  rowsWritten: 'rows written',
  auditEvents: 'events of the audit trail',
  auditBytes: 'audit trail, bytes',
  outputBytes: 'output of commands, bytes',
  callBytes: 'API calls, bytes',
  keptBytes: 'other tables, bytes',
  brokerMessagesIn: 'messages to the broker',
  brokerMessagesOut: 'messages from the broker',
  brokerBytesIn: 'bytes to the broker',
  brokerBytesOut: 'bytes from the broker',
} as const;

export type Quantity = keyof typeof quantities;
export type Usage = Readonly<Record<Quantity, number>>;

export const quantityNames = Object.keys(quantities) as Quantity[];

export const usageOf = (amountOf: (quantity: Quantity) => number): Usage =>
  Object.fromEntries(quantityNames.map((name) => [name, amountOf(name)])) as Record<
    Quantity,
    number
  >;

export const brokerQuantities: ReadonlySet<Quantity> = new Set(
  quantityNames.filter((name) => name.startsWith('broker')),
);
