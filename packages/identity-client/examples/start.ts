import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createExampleServer } from './example-server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4400' },
    'app-host': { type: 'string' },
    'app-id': { type: 'string' },
  },
});
const server = createExampleServer({ appHost: values['app-host'], appId: values['app-id'] });
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
