/** `npm run bench:peer-meshcentral -- --database postgres --rounds 5 --devices 1000 --stored 10000 --settle 5` */

import { parseArgs } from 'node:util';
import { commonOptions, compareWith } from './compare-with.ts';
import { MESHCENTRAL_VERSION } from './meshcentral/install-meshcentral.ts';
import { openMeshCentral } from './meshcentral/open-meshcentral.ts';

const { values } = parseArgs({
  options: { ...commonOptions, database: { type: 'string', default: 'postgres' } },
});
const database = values.database === 'nedb' ? 'nedb' : 'postgres';
const notes = [
  'Both: production mode, the same Node, the same PostgreSQL (unless MeshCentral uses NeDB), and one process of simulated devices, which answer a command with 450 bytes.',
  'Memory: PSS of all processes, the database included, without the simulated devices.',
  'Device Portal: MQTT over TLS with client certificates. A command ends when its run has ended: the request, all states, results, and output are committed, with an audit event per device.',
  'MeshCentral: WebSockets over TLS with keys of the agents. A command ends when the session that sent it has received all outputs. MeshCentral records an event of the request per device; it stores no results.',
  'List, all: Device Portal has only pages, so 100 requests; MeshCentral answers one request.',
];
await compareWith(
  {
    name: `MeshCentral ${MESHCENTRAL_VERSION} (${database})`,
    open: (resources) => openMeshCentral(resources, database),
    notes,
  },
  values,
);
